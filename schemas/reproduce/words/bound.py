"""What the paper's words leave open of a feature that code takes for a quoted number."""

from __future__ import annotations

from schemas.base import Model


class Saying(Model):
    """One thing that the paper's words say of a number, which what was computed has to match. kind: of `phrases.py`; "unknown"
    for a modifier or complement that no table holds. value: the number, label or words that belong to it.
    """

    kind: str
    value: str = ""
    words: str = ""
    inputs: tuple[str, ...] = ()


class Called(Model):
    """What the paper's words call a quoted number. sayings: of the phrase that holds it. spoken: that phrase. told: the part of
    it in front of the number; where that names nothing that happens to light, what is behind. before: its sentence
    and those before it, the nearest first. at_light: the wavelengths at which it places the number, um. column_fault: why the
    figure's caption names another column of the data than the target's. over: the sizes ("diameter") that the paper says somewhere
    that its cross-sections are divided by. What nothing computed matches is at most PARTIAL.
    """

    sayings: tuple[Saying, ...] = ()
    spoken: str = ""
    told: str = ""
    before: tuple[str, ...] = ()
    column_fault: str = ""
    at_light: tuple[float, ...] = ()
    over: frozenset[str] = frozenset()


class Bound(Model):
    """refused: it is no feature that the words name. loose: numbers and choices of it that nothing states. windows: ranges
    that nothing states, in the target's x_unit; harmless where they cover the figure's own data. modes_only: the words
    speak of a place that no feature takes, which only a mode or band that trusted code finds has; lines_only: of a width,
    which only a mode's line has. process: what the words say happens to the light that the number measures
    (`clauses.process_of`). limit: whether they make the number a lower or an upper bound. axis: what the head of its table
    says that its abscissa measures ('' if nothing). What is open is at most PARTIAL.
    """

    refused: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    windows: tuple[tuple[float, float], ...] = ()
    modes_only: str = ""
    lines_only: str = ""
    process: str = ""
    limit: str = ""
    axis: str = ""


class InputWords(Model):
    """What the paper's words bind an input to. kinds: the things that its quoted words may name (`input_nouns`), none if they name
    nothing. equal: whether they say that several things have it. ranged: whether it is one end of a range there ("between 60 and 120
    nm"), which states no value. sample: which of several they speak of ("sample B", "annealed film"). on: the inputs of the layers
    that its own lies on. parted: into how many equal parts its sentences say that something is parted ("in its middle", "two equal
    spacers"). whole: whether they call it that of all together, shells included. symbol: the kinds that its symbol has, which allow
    half of a diameter and doubt nothing. subjects: the materials, bodies and states that its sentences name. fault: why they do not
    bind it; what depends on it is then at most PARTIAL.
    """

    kinds: frozenset[str] = frozenset()
    equal: bool = False
    ranged: bool = False
    sample: str = ""
    on: tuple[str, ...] = ()
    parted: frozenset[int] = frozenset()
    whole: bool = False
    symbol: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    fault: str = ""
