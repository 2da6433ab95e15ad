"""Figures that are pictures of pixels: frames, ticks, recognised labels, lines by colour; lengths are pixels, upwards from below."""
