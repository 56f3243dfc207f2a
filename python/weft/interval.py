"""Means over seeds, and how far to trust them."""

from __future__ import annotations

import math
import statistics
from typing import Sequence, Tuple

# Student's distribution: 97.5 % lie below it, for 1 to 9 degrees of freedom.
_QUANTILES = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
_Z = 1.959964  # for infinitely many


def student(freedom: int) -> float:
    """The quantile; beyond the table by its series in 1/freedom (Abramowitz & Stegun 26.7.5)."""
    if freedom <= len(_QUANTILES):
        return _QUANTILES[freedom - 1]
    z, n = _Z, float(freedom)
    return (z + (z ** 3 + z) / (4 * n) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * n ** 2)
            + (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * n ** 3))


def mean_and_interval(values: Sequence[float]) -> Tuple[float, float]:
    """The mean, and half the width of its 95 % interval; of a single value nan."""
    mean = statistics.fmean(values)
    if len(values) < 2:
        return mean, math.nan
    return mean, student(len(values) - 1) * statistics.stdev(values) / math.sqrt(len(values))
