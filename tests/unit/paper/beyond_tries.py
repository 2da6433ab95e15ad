"""Sentences of papers that say more than their numbers do, in ten kinds, and honest ones; written before the reader was tuned.

The first half of each kind was looked at while the reader was made, the second was not.
"""

from __future__ import annotations

from schemas.explore.science_data import Configuration, ScienceData
from tests.unit.paper.paper_fixture import number, science_data

_NODES = (  # node, parent, time, how it came out beside its parent, what it tried
    ("n000", "", 14.3, "", "arrays made anew in each step"),
    ("n001", "n000", 11.4, "better", "write all intermediate results into arrays allocated once"),
    ("n002", "n001", 8.3, "better", "go through the field in strips of rows"),
    ("n003", "n002", 11.1, "worse", "one strip over the whole field, all else the same"),
    ("n004", "n002", 8.4, "no_difference", "strips of half the height"),
)


def stencil() -> ScienceData:
    """Five programs of a heat step; n002, in strips of rows, is the best."""
    times = {node: time for node, _, time, _, _ in _NODES}
    derived = [
        number("best.time", 8.3, 0.1, node_id="n002"),
        number("baseline.time", 14.3, 0.1, node_id="n000"),
    ]
    for prefix, node, other in (("best", "n002", "n000"), *((n, n, p) for n, p, *_ in _NODES if p)):
        of = (f"{node}.time", f"{other}.time")
        noise = "; inside the noise, so no difference" if node == "n004" else ""
        ratio = times[other] / times[node]
        derived.append(
            number(
                f"{prefix}.time.gain",
                ratio,
                0.02,
                "",
                kind="derived",
                node_id=node,
                derived_from=of,
                what=f"a factor{noise}",
            )
        )
        derived.append(
            number(
                f"{prefix}.time.change",
                100 / ratio - 100,
                1.0,
                "%",
                kind="derived",
                node_id=node,
                derived_from=of,
                what=f"a change{noise}",
            )
        )
    derived += [
        number("nodes.total", 5, unit="", kind="counted", node_id="", key=""),
        number("nodes.failed", 1, unit="", kind="counted", node_id="", key=""),
    ]
    return science_data().model_copy(
        update={
            "title": "A faster heat step",
            "question": "Make the explicit five-point step of heat conduction on float64 data as fast as possible on one core, in "
            "Python with numpy alone. Results must agree with the plain sum. Worth finding out: how much of the time is temporary "
            "arrays, how much is memory traffic, and whether working on blocks of rows pays on this machine.",
            "configurations": tuple(
                Configuration(
                    node_id=node,
                    parent_id=parent,
                    rank=rank,
                    label="improve",
                    against_parent=beside,  # type: ignore[arg-type]
                    direction=direction,
                    measurements=(
                        number(f"{node}.time", time, 0.1, node_id=node),
                        number(f"{node}.largest_error", 3e-16, 0.0, "", node_id=node, key="largest_error"),
                    ),
                    parameters=(number(f"{node}.param.rows", 64, unit="", kind="parameter", node_id=node),),
                )
                for rank, (node, parent, time, beside, direction) in enumerate(_NODES, 1)
            ),
            "derived": tuple(derived),
        }
    )


FALSE: dict[str, tuple[str, ...]] = {
    "no other": (
        "The strips need {{n002.time}}, which no other method reaches.",
        "At {{best.time}} the step is out of reach for array code.",
        "Nobody has brought this step to {{best.time}} before.",
        "With {{best.time}} there is nothing left to gain on this machine.",
        # --- the second half
        "The best program takes {{best.time}}, the end of what Python allows.",
        "{{best.time}} is a time that compiled programs have to envy.",
        "Only strips bring the step to {{n002.time}}.",
        "A step of {{best.time}} cannot be had in another way.",
    ),
    "cause": (
        "The time fell to {{n002.time}} because the strips stay in the second-level cache.",
        "Arrays allocated once save the page faults and bring {{n001.time}}.",
        "The factor of {{n002.time.gain}} is due to fewer cache misses.",
        "Since memory traffic decides, the strips need {{n002.time}}.",
        # --- the second half
        "Thanks to the prefetcher the program takes {{n002.time}}.",
        "One strip takes {{n003.time}}, as the field then leaves the cache in each step.",
        "The temporary arrays cost the difference between {{n000.time}} and {{n001.time}}.",
        "Branch prediction explains the {{n001.time.change}} of the time.",
    ),
    "of another": (
        "The program as vendors ship it takes {{n000.time}}.",
        "The reference implementation in C needs {{n001.time}}.",
        "A step on the graphics card takes {{n002.time}}.",
        "The numerical error of the strips is {{n002.time.gain}} times smaller.",
        # --- the second half
        "Energy drawn in a step came to {{n002.time.change}} of what it was.",
        "Memory use changed by {{n001.time.change}}.",
        "The whole simulation takes {{best.time}}.",
        "Users wait {{n002.time}} for an answer.",
    ),
    "of all": (
        "Arrays allocated once gave {{n001.time.gain}}, the largest step of all.",
        "Allocation is where most of the time goes: {{n001.time.gain}}.",
        "The most important change brought {{n001.time.gain}}.",
        "Of all ideas that were tried none matters like allocation ({{n001.time.change}}).",
        # --- the second half
        "With {{n001.time}} arrays allocated once are the fastest program of the tree.",
        "The strips account for the whole gain of {{best.time.gain}}.",
        "One strip over the field is the slowest program of all, at {{n003.time}}.",
        "Half the height brings the deepest cut, to {{n004.time}}.",
    ),
    "in general": (
        "Strips of rows bring {{n002.time.gain}} on any machine with a cache.",
        "Whoever writes a stencil gets {{n002.time.gain}} from strips.",
        "The factor of {{best.time.gain}} holds for all sizes of the field.",
        "Strips always pay: {{n002.time.gain}}.",
        # --- the second half
        "In practice one can count on {{best.time.gain}}.",
        "Larger fields would gain the same {{best.time.gain}}.",
        "Such strips give stencils {{n002.time.gain}}, whatever the language.",
        "The {{n002.time.gain}} carries over to three dimensions.",
    ),
    "scaling": (
        "The time of {{best.time}} is linear in the number of points.",
        "The step takes {{best.time}} and grows with the square of the width.",
        "Twice the cores halve the {{best.time}}.",
        "The time of {{n002.time}} does not depend on the height of the strips.",
        # --- the second half
        "A field four times as large needs four times {{best.time}}.",
        "The factor {{n002.time.gain}} rises with the size of the field.",
        "At {{best.time}} the step scales with the bandwidth of the memory.",
        "Halving the strips again and again leaves {{n004.time}} where it is.",
    ),
    "not measured": (
        "The strips take {{n002.time}} with unchanged accuracy.",
        "The program needs {{n002.time}} and no more memory than before.",
        "At {{best.time}} the program stays as easy to read.",
        "The step needs {{n002.time}} and half the power.",
        # --- the second half
        "The strips take {{n002.time}} and lose no digit of the result.",
        "With {{best.time}} the code has become shorter, too.",
        "It needs {{n001.time}} without any risk for the results.",
        "The cache misses fell along with the time to {{n002.time}}.",
    ),
    "formula": (
        "The strips take $O(n \\log n)$, here {{n002.time}}.",
        "The step needs {{best.time}}, which follows $T(n) = c\\,n$.",
        "$T = \\alpha n$ describes the times of all programs.",
        "The strips reach the bound $T_{min} = 2 n / B$.",
        # --- the second half
        "The time goes as $n^2$ for all programs.",
        "With {{n002.time}} the strips obey $T \\propto 1/h$.",
        "The traffic falls from $5 n$ to $2 n$ words a step.",
        "Strips turn an $O(n^2)$ method into an $O(n)$ one.",
    ),
    "heading or list": (
        "### Strips solve the problem",
        "### The cache decides",
        "- memory traffic is what the step is bound by",
        "- strips: {{n002.time}}, bound by arithmetic now",
        # --- the second half
        "### Allocation was the culprit",
        "### Why half the height changes nothing: the cache holds both",
        "- arrays allocated once: {{n001.time}}, no page faults any more",
        "- the rest of the time is arithmetic",
    ),
    "confirmed": (
        "The strips took {{n002.time}} in every repeat and on each day.",
        "As the model predicts, the step takes {{best.time}}.",
        "Other groups find the same {{n002.time.gain}}.",
        "A profile confirms the {{n002.time.change}}.",
        # --- the second half
        "The {{best.time}} agree with the roofline of this machine.",
        "Independent runs on two further machines gave {{n002.time}}.",
        "The counter of cache misses bears out the {{n002.time.gain}}.",
        "The {{n001.time.gain}} is what theory demands.",
    ),
}
HONEST: tuple[str, ...] = (
    "Writing all intermediate results into arrays allocated once brought a factor of {{n001.time.gain}} over the program it was made from.",
    "Going through the field in strips of rows brought a factor of {{n002.time.gain}} over the program it was made from.",
    "Strips of half the height made no difference beyond the noise ({{n004.time}} an update).",
    "The best program needs {{best.time}} an update against {{baseline.time}} of the first one, a factor of {{best.time.gain}}.",
    "We ask where its time goes when it is written in array operations, and what preallocated arrays and strips of rows are each worth.",
    "What was inside the noise is reported as no difference.",
    "One machine was measured, while other programs ran on it, and one large size of the field decides the time.",
    "That strips act through the cache is likely, as the ablation changes nothing else, but no counter of cache misses was read.",
    "[fig:times] and [tab:results] show all programs that passed the checks.",
    "Of {{nodes.total}} experiments {{nodes.failed}} failed.",
    "With strips of rows the step took {{n002.time}}, with one strip over the whole field {{n003.time}}.",
    "The change against the parent is {{n002.time.change}}.",
    "Other machines and other sizes of the field were not tried.",
    "The cause may be the second-level cache; this was not tested.",
    "Each time is the median of five repeats, and the uncertainty is its standard error.",
    "The strips are {{n002.param.rows}} rows high.",
    "### Strips of rows",
    "- strips of rows: {{n002.time}}",
    "Whether a larger field gains as much remains open.",
    "A next step would be to read the counters of the processor.",
    # --- the second half
    "The same code with one strip over the whole field was slower than the program it was made from: {{n003.time}} an update.",
    "With array operations alone the step came to {{best.time}} an update, a factor of {{best.time.gain}} better than the first program.",
    "The program as provided takes {{baseline.time}}.",
    "Arrays allocated once took {{n001.time}} (n001), and strips of rows {{n002.time}} (n002).",
    "Half the height gave {{n004.time}}, which is no difference beyond the noise.",
    "The search stopped after {{nodes.total}} experiments.",
    "We measured one size of the field on one machine; nothing follows for others.",
    "Why half the height makes no difference was not examined.",
    "Results were compared with the plain sum in every run.",
    "Time per step was measured in turns with the program it was made from.",
    "The best program goes through the field in strips of {{n002.param.rows}} rows and takes {{best.time}}.",
    "The gain of {{best.time.gain}} belongs to this machine and this size; others may differ.",
    "This agrees with published work on blocking [@smith2020stencil].",
    "### Limits",
    "- one strip over the whole field: {{n003.time}}",
    "We do not know how much of the time is memory traffic.",
    "Future work could measure cache misses.",
    "[fig:times] shows the time of each program with its standard error.",
    "The uncertainty of {{best.time}} is that of repeated runs on one machine.",
    "It took {{n001.time}} instead of {{n000.time}}.",
)
MORE_HONEST: tuple[str, ...] = (  # written while the reader was tuned, and tuned on
    "All times are in ms and hold for one core.",
    "Each program ran five times in turns with its parent.",
    "The ablation with one strip took {{n003.time}}.",
    "Compared with the first program the best one needs {{best.time}} instead of {{baseline.time}}.",
    "The best program is {{best.time.gain}} times as fast as the first one.",
    "It improved on its parent by {{n001.time.change}}.",
    "{{n002.time}} (n002) is lower than {{n001.time}} (n001).",
    "Strips of half the height ran at {{n004.time}}.",
    "We did not vary the number of rows beyond this.",
    "Only one size of the field was measured.",
    "The experiments were run on {{machine.cpu}}.",
    "In the next section we discuss what these numbers leave open.",
    "The numbers do not say why.",
    "We cannot tell whether the cache is the cause.",
    "Our measurements concern one machine.",
    "A reader should not expect the same factor elsewhere.",
    "How the strips interact with the cache was not studied.",
    "The provided program is the baseline.",
    "The search tried five programs.",
    "As a check, results were compared with the plain sum.",
    "From n001 to n002 the time went from {{n001.time}} to {{n002.time}}.",
    "The best time, {{best.time}}, was measured with strips of {{n002.param.rows}} rows.",
    "The median time of the best program is {{best.time}}.",
    "Preallocating the arrays saved time: the step took {{n001.time}} rather than {{n000.time}}.",
    "With a single strip the step slowed down to {{n003.time}}.",
    "The strips are worth a factor of {{n002.time.gain}}.",
    "Beside its parent this is a gain of {{n002.time.gain}}.",
)
