"""Signs that an axis lost on the way: what falls where numbers usually rise, with no minus among its labels, is asked."""

from __future__ import annotations

import re

from tasks.digitise.axes import Axis
from tasks.digitise.labels import plain


def lost_signs(axis: Axis, pixels: bool) -> str:
    """Why an axis may have lost its minus signs, '' where it has not. pixels: its labels were recognised in a picture.

    10^-3, 10^-2, 10^-1 without their signs are an axis that runs backwards: they lie on a line of logarithms as well.
    A letter of a PDF is there or not; of a picture every small stroke may be missed, so that -3, -2, -1 are asked there too.
    """
    if axis.scale is None or axis.scale.slope > 0:
        return ""
    texts = [plain(word.text).lower() for word in axis.words]
    shown = ", ".join(text[:20] for text in texts[:8])
    if axis.scale.kind == "logarithmic":
        powers = [text for text in texts if re.search(r"\^|\de", text)]
        if powers and not any(re.search(r"[\^e]-", text) for text in powers):
            return f"its powers fall and none has a sign: lost minus signs? ({shown})"
    elif pixels and texts and not any(text.startswith("-") for text in texts):
        return f"its numbers fall and none has a sign: lost minus signs? ({shown})"
    return ""
