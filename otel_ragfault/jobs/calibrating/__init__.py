"""The similarity floor: calibrated from labelled data, and written to the configuration with where it comes from."""

from otel_ragfault.jobs.calibrating.calibrate import DIMENSIONS, Calibrated, Calibration, calibrate
from otel_ragfault.jobs.calibrating.roc import Curve, Point, Scores, at_most, curve, youden
from otel_ragfault.jobs.calibrating.writing import floor_toml, provenance, write_floor

__all__ = [
    "DIMENSIONS",
    "Calibrated",
    "Calibration",
    "Curve",
    "Point",
    "Scores",
    "at_most",
    "calibrate",
    "curve",
    "floor_toml",
    "provenance",
    "write_floor",
    "youden",
]
