"""Who may come in to `reprolab up` beside its own password: named, given a role and a password of their own, taken out again."""

from __future__ import annotations

import secrets
from pathlib import Path

from flows.serving.people import NAME, ROLES, People, Person, sealed, written
from flows.serving.server_app import ENTRANCE, USER
from flows.up.place import Place, open_place, who_is_up
from schemas.errors import InputError
from schemas.run.pasted import typed
from tasks.files.private import write_private


def let_in(outputs: Path, name: str, role: str) -> str:
    """Name a person, or give one another role and password. What to tell them: the password is shown now and never again."""
    if not NAME.fullmatch(name) or name == USER:
        raise InputError(
            "that is no name of a person",
            found=repr(name)[:60],
            allowed=f"small letters, digits and dashes, a letter first, 31 at most; not {USER}",
        )
    if role not in ROLES:
        raise InputError("there is no such role", found=role[:60], allowed=", ".join(ROLES))
    place = open_place(outputs)
    known, password = _known(place), secrets.token_urlsafe(24)
    before = known.get(name)
    _write(place, {**known, name: Person(name, role, sealed(password))})
    address = str((who_is_up(place) or {}).get("address", ""))
    link = f"{address}{ENTRANCE}#{name}:{password}" if address else f"ADDRESS{ENTRANCE}#{name}:{password}"
    said = "has another password, the old one ends" if before else "may come in"
    return (
        f"{name} {said}; role {role}: {ROLES[role]}\n"
        f"  link       {link}"
        + ("" if address else f"   (ADDRESS: as `{typed('up', outputs=place.outputs)}` prints it)")
        + f"\n  or typed   {name}:{password}\n"
        f"Give it to {name} alone; it is not kept and not shown again. {typed('people', 'remove', name, outputs=place.outputs)} ends it."
    )


def put_out(outputs: Path, name: str) -> str:
    """Take a person out: requests and cookies of theirs are refused from now on."""
    place = open_place(outputs)
    known = _known(place)
    if name not in known:
        raise InputError(
            "nobody of that name may come in", found=repr(name)[:60], allowed=", ".join(known) or "nobody"
        )
    _write(place, {other: person for other, person in known.items() if other != name})
    return f"{name} is out; a page that is open shows what it has, and gets nothing more"


def listed(outputs: Path) -> str:
    """Who may come in, a line each, and what the roles are."""
    known = _known(Place(outputs))
    lines = [f"{person.name:<31} {person.role}" for person in known.values()]
    roles = "\n".join(f"  {role:<11} {what}" for role, what in ROLES.items())
    none = f"nobody but who has the server's own password; {typed('people', 'add', 'NAME', '--role', 'answer', outputs=outputs)}"
    return "\n".join(lines or [none]) + f"\nroles, each with what those before it may:\n{roles}"


def _known(place: Place) -> dict[str, Person]:
    people = People(place.people)
    found = people.all()
    if place.people.exists() and not found and place.people.read_text().strip() not in ("", "{}"):
        raise InputError(
            f"{place.people} does not hold what it should, or others may read it: nobody of it comes in",
            allowed="a file of yours with mode 600, as "
            f"`{typed('people', 'add', 'NAME', outputs=place.outputs)}` writes it",
            fix="mend it, or delete it and name people anew",
        )
    return found


def _write(place: Place, people: dict[str, Person]) -> None:
    """In one step: whoever comes in meanwhile is looked for in the old list or in the new one."""
    fresh = place.people.with_suffix(".new")
    write_private(fresh, written(people))
    fresh.replace(place.people)
