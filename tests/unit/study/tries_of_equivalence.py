"""Sentences about equivalence. The first two halves were written before the readers were made, by the hand that made them; the third
was written when they stood, and nothing was changed for it: what of it passes or is wrongly contradicted is named in the test.

Of the fixture's study: ease differs and trust was not shown to (ordinary tests); comfort was shown to be equivalent, speed was not
(two one-sided tests).
"""

from __future__ import annotations

LIES = (
    (
        "Speed was equivalent for voice and touch.",
        "Trust was equivalent for voice and touch.",
        "Voice and touch were equal in trust.",
        "Equivalence in speed was established.",
        "Comfort was not equivalent across the ways.",
        "Comfort differed between voice and touch.",
        "Equivalence of comfort could not be shown.",
        "Speed was the same for voice and touch.",
        "Voice and touch are interchangeable in trust.",
        "The two one-sided tests for speed were significant.",
    ),
    (
        "Speed proved practically equivalent for both ways.",
        "No meaningful difference in speed remains.",
        "The ways were identical in trust.",
        "Comfort was higher for touch than for voice.",
        "The equivalence test of comfort was not significant.",
        "Touch and voice match in speed.",
        "The difference in speed lay within the bounds.",
        "We found the ways to be equivalent in trust.",
        "Equivalence was shown for speed but not for comfort.",
        "Trust did not depend on the way: the two are equal.",
    ),
    (
        "Speed showed equivalence between voice and touch.",
        "Both ways yielded equal speed.",
        "Trust levels coincided for voice and touch.",
        "As far as speed is concerned, it makes no difference which way is used.",
        "Equality of the ways in trust was demonstrated.",
        "Our prediction that speed is unaffected by the way was borne out.",
        "Voice is as trusted as touch.",
        "Speed did not differ between the ways.",
        "Comfort failed the equivalence test.",
        "Any difference in speed is too small to matter.",
    ),
)
HONEST = (
    (
        "Comfort was equivalent for voice and touch within the planned bound.",
        "Equivalence in speed was not shown.",
        "Speed was not shown to be equivalent.",
        "No difference in trust was shown.",
        "Whether trust is equal for both ways was not tested.",
        "Comfort was practically equivalent across the ways ({{h_comfort_apa}}).",
        "A difference in comfort beyond the bound was ruled out.",
        "The equivalence of speed remains undecided.",
        "That trust did not differ does not make the ways equal.",
        "The equivalence test of comfort was significant.",
    ),
    (
        "Voice and touch were equivalent in comfort.",
        "The data do not show speed to be equivalent.",
        "We could not establish equivalence in speed.",
        "For comfort, equivalence was established.",
        "The difference in comfort was smaller than the bound.",
        "For speed, a difference beyond the bound could not be ruled out.",
        "Equivalence was shown for comfort but not for speed.",
        "Our hypothesis that comfort is equivalent was supported.",
        "No evidence of equivalence was found for speed.",
        "Trust did not differ significantly.",
    ),
    (
        "Comfort passed the equivalence test.",
        "The ways may well be equal in trust, but this was not tested.",
        "The confidence interval of comfort lies inside the equivalence bounds.",
        "A larger sample is needed to decide whether speed is equivalent.",
        "Speed failed to reach equivalence.",
        "Equivalence of the ways in comfort was demonstrated.",
        "We tested equivalence with two one-sided tests.",
        "The bound was one point for comfort.",
        "Equivalence in speed could neither be shown nor ruled out.",
        "In comfort, the two ways can be treated as equivalent.",
    ),
)
