"""What people look at: the card of a request."""

from otel_ragfault.report.card import Card, Evidence, find_cards
from otel_ragfault.report.card_text import card_text

__all__ = ["Card", "Evidence", "card_text", "find_cards"]
