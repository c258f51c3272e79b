"""How messages count: ``1 case``, ``2 cases``."""


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number and what it counts.

    Args:
        number: how many there are.
        one: the words for a single one, with a verb where one follows: ``case``, ``quote is``.
        many: the words for none or several; by default those for one with an s at the end.
    """
    return f"{number} {one if number == 1 else many or f'{one}s'}"
