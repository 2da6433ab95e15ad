"""Fitting a long conversation into the model's window: the oldest results are shortened first, and say so in place."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

from agents.models.size import turn_tokens
from schemas.talking.turns import PastResult, PastTurn, said_digest

KEPT_TURNS = 2  # the newest are shortened last
LOW = 0.6  # cut to this part of the limit, so that what is cut, and with it the cached prefix, seldom changes
_HEAD, _TAIL, _ARGUMENT = 400, 200, 300
_Cut = Callable[[PastTurn], PastTurn]


def trimmed(
    turns: tuple[PastTurn, ...], limit_tokens: int, pinned_tools: Collection[str]
) -> tuple[PastTurn, ...]:
    """The turns, shortened where together they exceed `limit_tokens` (by estimate).

    Results of old turns first, then what was given to tools in them (the files an agent wrote), then the newest turns;
    never the results of `pinned_tools`, never a call without its result. The same turns give the same cuts, and a turn
    more changes nothing before it until the limit is reached again. What cannot be cut enough is returned as short as
    it gets: the caller compares its size with the limit.
    """
    shown: list[PastTurn] = []
    sizes: list[int] = []
    for turn in turns:
        shown.append(turn)
        sizes.append(turn_tokens(turn))
        if sum(sizes) <= limit_tokens:
            continue
        for kept, cut, above in _STEPS:
            if sum(sizes) > above * limit_tokens:
                _cut_oldest(
                    shown, sizes, len(shown) - kept, LOW * limit_tokens, partial(cut, pinned=pinned_tools)
                )
    return tuple(shown)


def _cut_oldest(shown: list[PastTurn], sizes: list[int], count: int, enough: float, cut: _Cut) -> None:
    """Cut up to `count` of the oldest turns, until all together are small enough."""
    for place in range(count):
        if sum(sizes) <= enough:
            return
        shown[place] = cut(shown[place])
        sizes[place] = turn_tokens(shown[place])


def shortened(
    text: str, head: int = _HEAD, tail: int = _TAIL, fix: str = "call the tool again if you need them"
) -> str:
    """The beginning and the end of a long text, with a line that says what was left out; a short one as it is."""
    left = len(text) - head - tail
    if left <= 200:
        return text
    return (
        f"{text[:head]}\n[cut to fit the window: {left} of {len(text)} characters are left out here; {fix}]\n"
        f"{text[len(text) - tail :]}"
    )


def _results_cut(turn: PastTurn, pinned: Collection[str]) -> PastTurn:
    results = tuple(
        result if call.name in pinned else _short_result(result)
        for call, result in zip(turn.said.calls, turn.results, strict=True)
    )
    return turn.model_copy(update={"results": results})


def _short_result(result: PastResult) -> PastResult:
    text = shortened(result.text)
    if result.images:
        text = f"{text}\n[cut to fit the window: {len(result.images)} pictures are left out here]".strip()
    if text == result.text:
        return result
    return result.model_copy(update={"text": text, "images": (), "whole": result.digest()})


def _arguments_cut(turn: PastTurn, pinned: Collection[str]) -> PastTurn:
    calls = tuple(
        call if call.name in pinned else call.model_copy(update={"arguments": _short(call.arguments)})
        for call in turn.said.calls
    )
    if calls == turn.said.calls:
        return turn
    return turn.model_copy(
        update={
            "said": turn.said.model_copy(update={"calls": calls}),
            "whole": turn.whole or said_digest(turn.said),
        }
    )


def _short(value: Any) -> Any:
    """Arguments with their long texts shortened; names and shape stay."""
    if isinstance(value, str):
        return shortened(value, _ARGUMENT, 0, "it was done as you wrote it")
    if isinstance(value, dict):
        return {name: _short(item) for name, item in value.items()}
    return [_short(item) for item in value] if isinstance(value, list) else value


# What is cut, of how many turns but the newest, if what was cut before leaves more than this part of the limit.
_STEPS = (
    (KEPT_TURNS, _results_cut, 1.0),
    (KEPT_TURNS, _arguments_cut, 0.8),
    (0, _results_cut, 1.0),
    (0, _arguments_cut, 1.0),
)
