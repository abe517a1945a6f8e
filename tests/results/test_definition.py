"""What a review asks, read from files; what cannot be understood is an error, never a pass."""

from pathlib import Path

import pytest

from judge.results.review.definition import Definition, DefinitionError, Ignored, load_definition

GOOD = """
[[rule]]
kind = "ignored"
name = "Ignore builds"
paths = ["build/"]

[[criterion]]
name = "Readability"
description = "Can it be read?"
"""


def test_a_definition_is_read(tmp_path: Path) -> None:
    path = tmp_path / "007.toml"
    path.write_text(GOOD)
    definition = load_definition(path)
    assert definition.rules == (Ignored(name="Ignore builds", paths=("build/",)),)
    assert definition.criteria[0].name == "Readability"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[rule]]\nkind = 'magic'\nname = 'x'", "does not match any of the expected tags"),
        ("[[rule]]\nname = 'x'", "Unable to extract tag"),
        ("[[rule]]\nkind = 'ignored'\nname = 'x'\npaths = ['a']\nmore = 1", "more: Extra inputs"),
        ("[[rule]]\nkind = 'ignored'\nname = 'x'\npaths = []", "paths: Tuple should have at least"),
        ("[[rule]]\nkind = 'forbidden_pattern'\nname = 'x'\npattern = '('", "regular expression"),
        (
            "[[rule]]\nkind = 'forbidden_pattern'\nname = 'x'\npattern = 'a{9999999999}'",
            "too large",
        ),
        ("[[criterion]]\nname = 'x'\n[[criterion]]\nname = 'x'", "the name 'x' stands there twice"),
        ("", "neither a rule nor a criterion"),
        ("[", "not TOML"),
        (
            "[[rule]]\nkind='unchanged_files'\nname='x'\nfiles=['a']\nreference='none'",
            "x: there is no folder",
        ),
    ],
)
def test_a_rule_of_unknown_shape_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "r.toml"
    path.write_text(text)
    with pytest.raises(DefinitionError) as caught:
        load_definition(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_public_benchmarks_lists_are_read(tmp_path: Path) -> None:
    (tmp_path / "ref").mkdir()
    path = tmp_path / "cr_list.json"
    path.write_text(
        """[
        {"name": "a", "script": "run_1.py", "args": {"entries": ["build/"]}},
        {"name": "b", "args": {"pattern": "goto", "paths": ["a.cpp"]}},
        {"name": "c", "args": {"pattern": "x", "include_suffixes": [".c"], "strip_comments": true}},
        {"name": "d", "args": {"files": ["a"], "allowed": ["cmath"], "reference_root": "ref"}},
        {"name": "e", "args": {"files": ["a"], "reference_root": "ref", "diffs_dir": "d"}},
        {"name": "f", "args": {"files": ["a"]}},
        {"name": "g", "args": {"path": "CMakeLists.txt"}},
        {"name": "h", "description": "clear?", "script": "llm_as_a_judge"}
        ]"""
    )
    definition = load_definition(path)
    assert [rule.kind for rule in definition.rules] == [
        "ignored",
        "forbidden_pattern",
        "forbidden_pattern",
        "allowed_headers",
        "unchanged_files",
        "required_files",
        "cmake_target",
    ]
    assert [criterion.name for criterion in definition.criteria] == ["h"]
    path.write_text('[{"name": "a", "args": {"magic": 1}}]')
    with pytest.raises(DefinitionError, match="a rule with magic is not known"):
        load_definition(path)


def test_an_empty_definition_asks_nothing() -> None:
    with pytest.raises(ValueError, match="neither a rule nor a criterion"):
        Definition()
