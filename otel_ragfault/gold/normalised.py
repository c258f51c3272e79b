"""A question as requests are joined by it."""

import re
import unicodedata

_WHITE_SPACE = re.compile("[\t\n\f\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")


def normalised_query(query: str) -> str:
    """Return the query as the SQL macro ``normalise_text`` does: NFC, white space (NUL too) collapsed, trimmed."""
    return _WHITE_SPACE.sub(" ", unicodedata.normalize("NFC", query.replace("\0", " "))).strip(" ")
