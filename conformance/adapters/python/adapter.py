"""A sample adapter: glue between the protocol of docs/conformance.md and an engine.

Copy the folder, put your engine in place of engine.py, and map more of the suite. All
that is not mapped is answered with `unsupported`, so nothing is ever half understood.
"""

import json
import sys

from engine import Engine

HELLO = {"protocol": 1, "name": "toy-python", "version": "1", "rules": "built-in", "features": ["refused-rule"],
         "questions": ["value", "has", "count", "controller", "owner", "happened", "refused", "refused-rule"]}


class Unsupported(Exception):
    """Names what the engine lacks."""


def only(part, *members):
    """A member that is not mapped says something that would be missed."""
    for lack in part.keys() - set(members):
        raise Unsupported(f"{part.get('do', '')} {lack}".strip())


def add(engine, card):
    """Here you put a card on your engine's board."""
    only(card, "object", "zone", "owner", "controller", "name", "printed")
    if card["zone"] != "Arena":
        raise Unsupported("zone " + card["zone"])
    engine.add(card["object"], card["owner"], card["controller"], card["printed"].get("power", 0))


def do(engine, i):
    """Here you call your engine: a case for each instruction that it knows."""
    only(i, "do", "roles", "with", "keyword", "token")
    match i:
        case {"do": "snatch", "roles": {"target": target, "source": source}} if "with" not in i:
            engine.snatch(source, [target])
        case {"do": "check", "roles": {"source": source, "targets": {"items": targets}}} if i.get("with") == {"sure": True}:
            engine.check(source, targets)
        case {"do": "give", "roles": {"object": label, "player": player}}:
            engine.give(label, player)
        case {"do": "grant", "roles": {"object": label}, "keyword": {"keyword": "Ward"}}:
            engine.grant_ward(label)
        case {"do": "remove", "roles": {"host": label}, "token": "Ward"}:
            engine.remove_ward(label)
        case _:
            raise Unsupported("this " + i["do"])


def ask(engine, q):
    """Here you read your engine's state, and what happened in the last step."""
    kind, of = q["question"], engine.momon.get(q.get("of"))
    if q.get("action") in ("check", "snatch", "give", "grant"):
        roles = wanted(q.get("where", True))
        came = [e for e in engine.events if e.action == q["action"] and roles.items() <= e.roles.items()]
        refused = [e for e in came if e.refused != "no"]
        return {"happened": len(came) > len(refused), "refused": refused[0].refused if refused else "no",
                "refused-rule": any(e.rule == q.get("rule") for e in refused)}[kind]
    if of and kind in ("controller", "owner"):
        return getattr(of, kind)
    if of and q.get("characteristic") == "power" and kind == "value":
        return of.power
    if of and "Ward" in (q.get("keyword"), q.get("token")) and kind in ("has", "count"):
        return of.ward is not None if kind == "has" else int(of.ward is not None)
    raise Unsupported("this " + kind)


def wanted(where):
    """Which label a question wants in which role: `role == label`, and `and` of them."""
    match where:
        case True:
            return {}
        case {"op": "and", "args": args}:
            return {role: label for arg in args for role, label in wanted(arg).items()}
        case {"op": "==", "args": [{"op": "role", "role": role}, str(label)]}:
            return {role: label}
    raise Unsupported("this where")


def play(case):
    engine, answers = Engine(), []  # every case begins with an empty board
    try:
        for card in case["start"]:
            add(engine, card)
        for step in case["script"]:
            if "ask" not in step:
                engine.forget()  # questions speak of the last step that does something
            match step:
                case {"ask": question}:
                    answers.append({"step": step["step"], "answer": ask(engine, question)})
                case {"open": "turn", "of": player}:
                    engine.begin_turn(player)
                case {"close": "turn"}:
                    engine.end_turn()
                case {"do": instructions}:
                    for instruction in instructions:
                        do(engine, instruction)
                case _:
                    raise Unsupported("this step")
    except Unsupported as lack:
        return {"outcome": "unsupported", "feature": str(lack)}
    except Exception as slip:  # the next case is another one
        return {"outcome": "error", "code": "engine", "message": repr(slip)}
    return {"outcome": "done", "answers": answers}


for line in sys.stdin:
    q = json.loads(line)
    a = {"hello": HELLO, "bye": {"ok": True}}.get(q["type"]) or (
        play(q["case"]) if q["type"] == "case" else {"ok": False, "message": "its rules are built in"})
    print(json.dumps({"seq": q["seq"], **a}), flush=True)
    if q["type"] == "bye":
        break
