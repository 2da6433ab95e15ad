"""Where a mode that rings alone is recorded in time: beside the probes that find its frequency, so that two see each trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from simkit.arrange.mode_fields import SINCE
from simkit.arrange.modes import Mode
from simkit.describe.resonator import DecayTime, RingDown
from simkit.describe.scene import Quantity
from simkit.runs import Run

PERIODS = 4  # over which the field's oscillation is averaged out
FROM = "trace_"  # monitor trace_probe_0_Ez beside probe_0_Ez


def tracing(run: Run, wanted: Sequence[tuple[Quantity, Mode]]) -> Run:
    """The run of one mode with its field in time at every probe, where a trace or a decay time is asked for."""
    if not any(isinstance(quantity, (RingDown, DecayTime)) for quantity, _ in wanted):
        return run
    traces = {
        f"{FROM}{name}": replace(monitor, kind="ringdown")
        for name, monitor in run.monitors.items()
        if monitor.kind == "resonances"
    }
    return replace(run, monitors={**run.monitors, **traces})


def longest_trace(wanted: Sequence[tuple[Quantity, Mode]]) -> float:
    """Time after the sources that all traces need: they begin when what the sources radiated is gone."""
    return max(
        (
            (float(quantity.duration) + PERIODS / mode.frequency) / (1 - SINCE)
            for quantity, mode in wanted
            if isinstance(quantity, RingDown)
        ),
        default=0.0,
    )
