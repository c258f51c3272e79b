"""Units of measure: of which dimension each is, and how many base units make one.

A unit whose size depends on the country or the calendar (``pounds``, ``gallons``) is none: numbers before it are
compared as they are written, and the word beside them as a word.
"""

from fractions import Fraction
from typing import Final, NamedTuple


class Unit(NamedTuple):
    """A unit: its ``dimension``, its ``factor`` to the base unit, and the ``offset`` of its zero in base units."""

    dimension: str
    factor: Fraction
    offset: Fraction = Fraction(0)


def _units(dimension: str, sizes: dict[str, str]) -> dict[str, Unit]:
    return {name: Unit(dimension, Fraction(size)) for names, size in sizes.items() for name in names.split()}


_TIME: Final = _units(
    "time",
    {
        "ms millisecond milliseconds": "1/1000",
        "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos": "1",
        "min mins minute minutes minuten minuto minutos": "60",
        "h hr hrs hour hours stunde stunden heure heures hora horas": "3600",
        "day days tag tage tagen jour jours": "86400",
        "week weeks woche wochen semaine semaines semana semanas": "604800",
        "fortnight fortnights": "1209600",
    },
)
_MONTHS: Final = _units(
    "months",
    {
        "month months monat monate monaten mois mes meses": "1",
        "year years yr yrs jahr jahre jahren ans": "12",
        "decade decades": "120",
        "century centuries": "1200",
    },
)
_LENGTH: Final = _units(
    "length",
    {
        "mm millimetre millimetres millimeter millimeters": "1/1000",
        "cm centimetre centimetres centimeter centimeters": "1/100",
        "m metre metres meter meters": "1",
        "km kms kilometre kilometres kilometer kilometers": "1000",
        "inch inches": "127/5000",
        "ft foot feet": "381/1250",
        "yard yards": "1143/1250",
        "mile miles mi": "201168/125",
    },
)
_MASS: Final = _units(
    "mass",
    {
        "mg milligram milligrams": "1/1000000",
        "g gram grams": "1/1000",
        "kg kgs kilo kilos kilogram kilograms": "1",
        "tonne tonnes": "1000",
        "lb lbs": "45359237/100000000",
    },
)
_MORE: Final = (
    _units("volume", {"ml millilitre millilitres milliliter milliliters": "1/1000", "l litre litres liter liters": "1"})
    | _units("area", {"m^2 sqm": "1", "km^2": "1000000", "hectare hectares ha": "10000"})
    | _units("data", {"byte bytes": "1", "kb": "1000", "mb": "1000000", "gb": "1000000000", "tb": "1000000000000"})
    | _units("share", {"% percent per-cent prozent": "1/100", "basis-points bps": "1/10000"})
    | _units("percentage points", {"pp percentage-points percentage-point": "1"})
    | _units("speed", {"km/h kph kmh": "1000", "mph": "201168/125", "m/s": "3600"})
    | _units("power", {"w watt watts": "1", "kw kilowatt kilowatts": "1000"})
    | _units("energy", {"wh": "1", "kwh": "1000", "mwh": "1000000"})
    | _units("frequency", {"hz hertz": "1", "khz": "1000", "mhz": "1000000", "ghz": "1000000000"})
    | _units("dollars", {"$ us$ usd dollar dollars": "1"})
    | _units("euros", {"\u20ac eur euro euros": "1"})
    | _units("sterling", {"\u00a3 gbp": "1"})
    | _units("yen", {"\u00a5 jpy yen": "1"})
    | _units("francs", {"chf": "1"})
    | _units("rupees", {"\u20b9 inr rupee rupees": "1"})
    | _units("degrees of angle", {"\u00b0 degree degrees": "1"})
)
_CELSIUS_ZERO: Final = Fraction(27315, 100)
_FAHRENHEIT: Final = Unit("temperature", Fraction(5, 9), _CELSIUS_ZERO - 32 * Fraction(5, 9))
_TEMPERATURE: Final = {
    **dict.fromkeys(("\u00b0c", "celsius"), Unit("temperature", Fraction(1), _CELSIUS_ZERO)),
    **dict.fromkeys(("\u00b0f", "fahrenheit"), _FAHRENHEIT),
    **dict.fromkeys(("kelvin", "kelvins"), Unit("temperature", Fraction(1))),
}

UNITS: Final[dict[str, Unit]] = {**_TIME, **_MONTHS, **_LENGTH, **_MASS, **_MORE, **_TEMPERATURE}
"""By their names, in lower case; a blank in a name is written as a hyphen."""
