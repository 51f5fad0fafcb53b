"""The chart: the same bay as that of the Three Corsairs."""

from tests.corsairs.chart import scene

__all__ = ["scene"]
