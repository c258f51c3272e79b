"""What a notebook shows: small, without scripts, and nothing of a text is taken for markup."""

import re
from html.parser import HTMLParser

import pytest

from otel_ragfault import Run
from otel_ragfault.api import Table
from otel_ragfault.store import connect

LARGEST = 6_000
ALLOWED = {"style", "div", "b", "i", "u", "s", "small", "table", "thead", "tbody", "tr", "th", "td", "br"}
EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\u202e&amp;\x1b[31m"


class Page(HTMLParser):
    """The tags, the attributes and the text of a page; fails where tags are not closed in their order."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.text, self._open = set(), set(), "", []
        self.feed(html)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag != "br":
            self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if self._open[-1:] != ["style"]:
            self.text += data + " "


@pytest.fixture
def pages(run, compared):
    return {"run": run, "case": run["taxi-receipt"], "comparison": compared, "table": run.labels}


@pytest.mark.parametrize("name", ["run", "case", "comparison", "table"])
def test_a_page_is_small_and_made_of_tables_and_marks_only(pages, name):
    html = pages[name]._repr_html_()
    page = Page(html)
    assert len(html) < LARGEST
    assert page.tags <= ALLOWED
    assert page.attributes <= {"style", "class"}
    assert not re.search(r"url\(|@import|expression|javascript", html)
    assert not re.search(r"[^-]color:\s*(#|rgb|black|white)", html), "text has the colour of the page, dark or light"


def test_the_page_of_a_case_says_what_the_card_says(run):
    text = " ".join(Page(run["taxi-receipt"]._repr_html_()).text.split())
    assert text == (
        "taxi-receipt assembly.cut wrong query When may I take a taxi, and does the taxi bill need a receipt? in prompt c06 "
        "answer Every taxi bill above 15 euros needs a printed receipt. cites c06 propositions retrieved yes grounded yes "
        "correct no cited no boundary: assembly rank chunk score gold 1 c06 6.053 required in prompt 2 c05 3.409 required "
        "3 c03 2.431 beyond k=2 4 c04 1.22 beyond k=2 5 c11 1.138 beyond k=2 … 9 more why The required chunk was within k and "
        "did not reach the prompt. check Compare the retrieved ids with the prompt ids. try first The context budget or the "
        "packing rule. usually wasted Blaming the model for text that it never saw."
    )


def test_a_pass_gives_no_advice_and_what_is_not_in_the_ranking_is_shown_all_the_same(run):
    assert "try first" not in run["meal-allowance"]._repr_html_()
    text = " ".join(Page(run["mileage-rate"]._repr_html_()).text.split())
    assert "- c15 required not ranked" in text


def test_nothing_of_a_text_is_taken_for_markup(db):
    with connect(db) as con:
        con.execute(
            "UPDATE request SET query = $evil, answer = $evil, prompt_ids = [$evil], cited_ids = [$evil] "
            "WHERE case_id = 'taxi-receipt'",
            {"evil": EVIL},
        )
        con.execute("UPDATE rule SET try_first = $evil", {"evil": EVIL})
    run = Run.open(db)
    compared = run.compare(run)
    for one in (run, run["taxi-receipt"], run.labels, compared, Table.of([{EVIL: EVIL}], [EVIL], EVIL)):
        html = one._repr_html_()
        page = Page(html)
        assert page.tags <= ALLOWED
        assert "\u202e" not in html
        assert "\x1b" not in html
    assert "<script>alert(1)</script>" in Page(run["taxi-receipt"]._repr_html_()).text
    assert "\\u202e&amp;\\x1b[31m" in Page(run["taxi-receipt"]._repr_html_()).text


def test_long_texts_and_long_results_are_cut_with_what_is_left():
    page = Page(Table.of([{"a": "x" * 5_000}] * 100, ["a"])._repr_html_()).text
    assert "… (5000 characters)" in page
    assert "… 70 more rows; .rows(), .arrow(), .pandas() and .polars() have all" in page
