"""Post a gate's Markdown as a comment on a pull request, or a note on a merge request, and update it the next time.

``python comment.py github gate.md`` or ``python comment.py gitlab gate.md``. Nothing beyond the standard library. What
it needs stands in the variables of the CI system (below); the token is the only one to be given by hand. A comment that
cannot be posted is a warning and no failure: forks have no token that may write, and the gate has its own exit code.

GitHub: ``GITHUB_TOKEN``, ``GITHUB_API_URL``, ``GITHUB_REPOSITORY``, ``PULL_REQUEST`` (its number).
GitLab: ``GITLAB_TOKEN``, ``CI_API_V4_URL``, ``CI_PROJECT_ID``, ``CI_MERGE_REQUEST_IID``.
"""

import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MARKER = "<!-- otel-ragfault gate -->"
PAGE = 100
TIMEOUT = 30


@dataclass(frozen=True)
class Place:
    """Where comments are listed and made, where one of them is changed, and how that is done."""

    comments: str
    one: str
    method: str
    headers: dict[str, str]


def github() -> Place:
    """Return the comments of a pull request."""
    api = f"{os.environ['GITHUB_API_URL']}/repos/{os.environ['GITHUB_REPOSITORY']}/issues"
    headers = {
        "Authorization": f"Bearer {os.environ['GITHUB_TOKEN']}",
        "Accept": "application/vnd.github+json",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    return Place(f"{api}/{int(os.environ['PULL_REQUEST'])}/comments", f"{api}/comments", "PATCH", headers)


def gitlab() -> Place:
    """Return the notes of a merge request."""
    project = f"{os.environ['CI_API_V4_URL']}/projects/{os.environ['CI_PROJECT_ID']}"
    notes = f"{project}/merge_requests/{int(os.environ['CI_MERGE_REQUEST_IID'])}/notes"
    return Place(notes, notes, "PUT", {"PRIVATE-TOKEN": os.environ["GITLAB_TOKEN"]})


def call(place: Place, method: str, url: str, body: str | None = None) -> Any:
    """Send a request and return what came back."""
    if not url.startswith(("https://", "http://")):
        raise ValueError(f"{url}: the address of an API was wanted")
    data = None if body is None else json.dumps({"body": body}).encode()
    headers = {**place.headers, "Content-Type": "application/json"}
    request = urllib.request.Request(url, data, headers, method=method)  # noqa: S310 - checked above
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:  # noqa: S310 - checked above
        return json.load(answer)


def comments(place: Place) -> Iterator[dict[str, Any]]:
    """Yield every comment, a page at a time."""
    page = 1
    while True:
        found = call(place, "GET", f"{place.comments}?per_page={PAGE}&page={page}")
        yield from found
        if len(found) < PAGE:
            return
        page += 1


def post(place: Place, body: str) -> str:
    """Update the comment of an earlier run, or make the first one; return what was done."""
    for comment in comments(place):
        if str(comment.get("body", "")).startswith(MARKER):
            call(place, place.method, f"{place.one}/{comment['id']}", body)
            return f"comment {comment['id']} was updated"
    return f"comment {call(place, 'POST', place.comments, body)['id']} was made"


def main(arguments: list[str]) -> int:
    """Post the comment; say why where that is not possible."""
    places = {"github": github, "gitlab": gitlab}
    if len(arguments) != 2 or arguments[0] not in places:  # noqa: PLR2004 - the two of them
        print(__doc__, file=sys.stderr)
        return 2
    try:
        print(post(places[arguments[0]](), Path(arguments[1]).read_text(encoding="utf-8")))
    except KeyError as error:
        print(f"::warning::no comment: the variable {error.args[0]} is not set")
    except (OSError, ValueError) as error:
        print(f"::warning::no comment: {error}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
