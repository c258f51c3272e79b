"""The address of an endpoint, checked before anything is asked of it."""

from urllib.parse import urlsplit

from otel_ragfault.errors import InputError
from otel_ragfault.model.wording import shown


def check_address(base_url: str | None) -> None:
    """Check that an address can be one of an endpoint; ``None`` is OpenAI's own.

    Raises:
        InputError: it is no http or https address with a host.
    """
    if base_url is not None and not _is_address(base_url):
        raise InputError(
            f"--base-url: found {shown(base_url)}; an address such as http://127.0.0.1:8000/v1 was wanted; "
            "correct it, here or in OPENAI_BASE_URL"
        )


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        port = parts.port  # raises for one that is no number, or too large
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and port != 0 and not any(map(str.isspace, text))
