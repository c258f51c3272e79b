"""ARCHITECTURE.md is true: it maps every module in the module's own words."""

from project.module_map import PACKAGE, first_line, module_map, parts


def test_the_module_map_is_the_one_the_modules_tell():
    _, found, _ = parts()
    assert found == module_map(), "run: python tests/project/module_map.py"


def test_every_module_says_in_one_sentence_what_it_is():
    silent = [path.name for path in PACKAGE.rglob("*.py") if not first_line(path).rstrip().endswith((".", ":", "?"))]
    assert silent == []
