// A toy engine: Momon, who controls them, turns, Snatch and Ward. No more.

export type Player = "P1" | "P2";

/** 13.2.2: Ward lasts until the end of the next turn of the player who was the opponent of the
 * controller as it was granted; a turn under way is not the next. */
interface Ward {
  endsWith: Player;
  begun: boolean; // that turn
}

export interface Momon {
  owner: Player;
  controller: Player;
  power: number;
  ward: Ward | null;
}

export interface Happening {
  action: string;
  roles: Record<string, string>;
  refused: "no" | "prohibit" | "impossible";
  rule: string;
}

export class Engine {
  readonly momon = new Map<string, Momon>();
  happenings: Happening[] = [];

  add(label: string, owner: Player, controller: Player, power: number): void {
    this.momon.set(label, { owner, controller, power, ward: null });
  }

  beginTurn(player: Player): void {
    for (const m of this.momon.values()) if (m.ward?.endsWith === player) m.ward.begun = true;
  }

  endTurn(): void {
    for (const [label, m] of this.momon) {
      if (!m.ward?.begun) continue;
      m.ward = null; // 13.2.5: as Ward ends, its token goes
      this.note("remove", { host: label });
    }
  }

  check(source: string, targets: string[]): void {
    this.note("check", { source });
    this.snatch(source, targets);
  }

  /** One attempt on each, all judged in the state before (11.6.5). */
  snatch(source: string, targets: string[]): void {
    const taker = this.at(source).controller;
    const stopped = new Set(targets.filter((t) => this.at(t).ward));
    for (const target of targets) {
      if (stopped.has(target)) this.note("snatch", { target, source }, "prohibit", "13.2.1");
      else {
        this.note("snatch", { target, source });
        this.give(target, taker);
      }
    }
  }

  give(object: string, player: Player): void {
    this.at(object).controller = player;
    this.note("give", { object, player });
  }

  grantWard(object: string): void {
    const m = this.at(object);
    if (m.ward) return this.note("grant", { object }, "impossible"); // 13.2.4
    m.ward = { endsWith: m.controller === "P1" ? "P2" : "P1", begun: false };
    this.note("grant", { object });
  }

  removeWard(host: string): void {
    this.note("remove", { host }, this.at(host).ward ? "no" : "impossible");
    this.at(host).ward = null;
  }

  private at(label: string): Momon {
    const m = this.momon.get(label);
    if (!m) throw new Error(`there is no ${label}`);
    return m;
  }

  private note(action: string, roles: Record<string, string>, refused: Happening["refused"] = "no", rule = ""): void {
    this.happenings.push({ action, roles, refused, rule });
  }
}
