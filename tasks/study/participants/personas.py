"""Simulated participants: drawn from the protocol's quotas with a seed, never by a model."""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Sequence

from schemas.errors import InputError
from schemas.study.design import Quota, StudyProtocol
from schemas.study.persona import PersonaProfile

MOST = 9999


def persona_ids(count: int) -> tuple[str, ...]:
    """persona-001, persona-002, ..."""
    return tuple(f"persona-{number:03d}" for number in range(1, count + 1))


def sampled(protocol: StudyProtocol, seed: int) -> tuple[PersonaProfile, ...]:
    """All participants of a protocol, the same for the same protocol and seed, whatever process or order asks.

    Every attribute has as many of each value as its quota says (largest remainders), shuffled on its own, so that
    attributes are independent. Conditions are balanced: between participants in equal numbers, within them each order
    equally often as far as the number allows. Raises InputError for too many participants.
    """
    count = protocol.participants.sample_size
    if not 0 < count <= MOST:
        raise InputError(
            "the number of simulated participants does not fit",
            found=count,
            allowed=f"1 to {MOST}",
            fix="change the protocol's sample size, or the setting participants",
        )
    columns = {quota.attribute: _column(quota, count, seed) for quota in protocol.participants.quotas}
    orders = _orders(protocol, count, seed)
    return tuple(
        PersonaProfile(
            persona_id=name,
            attributes={attribute: values[place] for attribute, values in columns.items()},
            conditions=orders[place],
            seed=own_seed(seed, name),
        )
        for place, name in enumerate(persona_ids(count))
    )


def own_seed(seed: int, name: str) -> int:
    """A seed for one thing of a study; the same in every process."""
    return int.from_bytes(hashlib.sha256(f"{seed}/{name}".encode()).digest()[:6], "big")


def counts_of(quota: Quota, count: int) -> list[int]:
    """How many participants have each value: largest remainders, ties to the first."""
    exact = [item.share / sum(other.share for other in quota.shares) * count for item in quota.shares]
    whole = [int(value + 1e-9) for value in exact]
    left = sorted(range(len(exact)), key=lambda place: (-(exact[place] - whole[place]), place))
    for place in left[: count - sum(whole)]:
        whole[place] += 1
    return whole


def _column(quota: Quota, count: int, seed: int) -> list[str]:
    values = [
        item.value
        for item, times in zip(quota.shares, counts_of(quota, count), strict=True)
        for _ in range(times)
    ]
    random.Random(own_seed(seed, f"quota/{quota.attribute}")).shuffle(values)
    return values


def _orders(protocol: StudyProtocol, count: int, seed: int) -> list[tuple[str, ...]]:
    names = [item.name for item in protocol.conditions]
    ways: Sequence[tuple[str, ...]]
    if protocol.assignment == "within":
        # all orders of up to four conditions; of more, each first once (a cyclic Latin square)
        ways = (
            list(itertools.permutations(names))
            if len(names) <= 4
            else [tuple(names[place:] + names[:place]) for place in range(len(names))]
        )
    else:
        ways = [(name,) for name in names]
    draw = random.Random(own_seed(seed, "conditions"))
    found: list[tuple[str, ...]] = []
    while len(found) < count:  # in blocks, so that numbers differ by one at most
        block = list(ways)
        draw.shuffle(block)
        found += block
    return found[:count]
