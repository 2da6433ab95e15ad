"""Who deliberates: views of a question, whatever its field."""

from __future__ import annotations

PERSONAS = (
    "A theorist of this field: reasons from what limits the result in principle, asks which limit binds now, and proposes what "
    "moves exactly that.",
    "An experimentalist with few means: proposes what can be tried in an hour with what the goal provides, the cheapest "
    "decisive experiment first.",
    "A sceptic and statistician: doubts the baseline, looks for what could fake an improvement, and proposes experiments that "
    "would show it, ablations among them.",
    "An outsider from a neighbouring field: brings a method that works on the same mathematical structure elsewhere.",
    "An engineer who will have to use the result: proposes what is simple, robust and worth its complication.",
)
