"""The ordered fault tree: rules as data, and their advice."""


def advice_rows() -> list[tuple[object, ...]]:
    return []
