"""A toy engine: Momon, who controls them, turns, Snatch and Ward. No more."""

from dataclasses import dataclass, field


@dataclass
class Ward:
    """13.2.2: it lasts until the end of the next turn of the player who was the
    opponent of the controller as it was granted; a turn under way is not the next."""

    ends_with: str  # whose turn
    begun: bool = False  # that turn


@dataclass
class Momon:
    owner: str
    controller: str
    power: int
    ward: Ward | None = None


@dataclass
class Event:
    action: str
    roles: dict
    refused: str = "no"
    rule: str = ""


@dataclass
class Engine:
    momon: dict = field(default_factory=dict)
    events: list = field(default_factory=list)

    def add(self, label, owner, controller, power):
        self.momon[label] = Momon(owner, controller, power)

    def forget(self):
        self.events = []

    def begin_turn(self, player):
        for m in self.momon.values():
            if m.ward and m.ward.ends_with == player:
                m.ward.begun = True

    def end_turn(self):
        for label, m in self.momon.items():
            if m.ward and m.ward.begun:
                m.ward = None  # 13.2.5: as Ward ends, its token goes
                self.events.append(Event("remove", {"host": label}))

    def check(self, source, targets):
        self.events.append(Event("check", {"source": source}))
        self.snatch(source, targets)

    def snatch(self, source, targets):
        """One attempt on each, all judged in the state before (11.6.5)."""
        stopped = {t: self.momon[t].ward is not None for t in targets}
        taker = self.momon[source].controller
        for t in targets:
            roles = {"target": t, "source": source}
            if stopped[t]:  # 13.2.1
                self.events.append(Event("snatch", roles, "prohibit", "13.2.1"))
                continue
            self.events.append(Event("snatch", roles))
            self.give(t, taker)

    def give(self, label, player):
        self.momon[label].controller = player
        self.events.append(Event("give", {"object": label, "player": player}))

    def grant_ward(self, label):
        m = self.momon[label]
        if m.ward:  # 13.2.4
            self.events.append(Event("grant", {"object": label}, "impossible"))
            return
        m.ward = Ward("P2" if m.controller == "P1" else "P1")
        self.events.append(Event("grant", {"object": label}))

    def remove_ward(self, label):
        m = self.momon[label]
        self.events.append(Event("remove", {"host": label}, "no" if m.ward else "impossible"))
        m.ward = None
