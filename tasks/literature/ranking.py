"""Texts ranked for a query by BM25.

Source: S. Robertson, H. Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), with k1 = 1.2, b = 0.75.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from schemas.literature.found_works import title_words

_K1, _B = 1.2, 0.75
_LITTLE = frozenset("a an and are as at by for from in is of on or the to we with".split())


def words_of(text: str) -> list[str]:
    """Words as compared: small letters without accents, the plural's s left out."""
    return [
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
        for word in re.findall(r"\w+", title_words(text))
        if word not in _LITTLE
    ]


def ranked(query: str, texts: Sequence[str]) -> list[tuple[float, int]]:
    """(score, index) of the texts that share a word with the query, best first; ties in the texts' order."""
    bags = [Counter(words_of(text)) for text in texts]
    lengths = [sum(bag.values()) for bag in bags]
    mean = sum(lengths) / len(bags) if bags else 1.0
    scores = [0.0] * len(bags)
    for word in dict.fromkeys(words_of(query)):
        holding = [index for index, bag in enumerate(bags) if word in bag]
        rarity = math.log(1 + (len(bags) - len(holding) + 0.5) / (len(holding) + 0.5))
        for index in holding:
            count = bags[index][word]
            scores[index] += (
                rarity * count * (_K1 + 1) / (count + _K1 * (1 - _B + _B * lengths[index] / mean))
            )
    return sorted(
        ((score, index) for index, score in enumerate(scores) if score > 0),
        key=lambda pair: (-pair[0], pair[1]),
    )
