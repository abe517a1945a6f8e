"""The tests of a native package: `[tests.ID]` says what is other than the package's defaults."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from judge.model import LANGUAGES, Group, Header, Limits, Test
from judge.packages.fields import Fields
from judge.packages.laid import laid
from judge.packages.native_check import read_compare, read_leak_check, read_score_map
from judge.packages.native_limits import read_limits

CHECKED_FOR_LEAKS = frozenset(entry.id for entry in LANGUAGES if entry.debug or entry.id == "git")
"""Languages whose programs can be checked for leaks."""
NO_LEAK_CHECK = "only programs in C and C++ can be checked for leaks"


@dataclass(frozen=True, slots=True)
class TestReader:
    """What the tests have in common: `folder` holds inputs and answers, `mains` the problem's own
    main programs, `limits` are those of a test that names none."""

    folder: Path
    mains: Path
    limits: Limits
    header: Header | None
    needs_answers: bool

    def read(self, fields: Fields, groups: Iterable[Group]) -> tuple[Test, ...]:
        """The tests of the groups, in the order in which they are first named; `fields` is the
        table of all that is special."""
        ids = list(dict.fromkeys(test for group in groups for test in group.tests))
        special = dict(fields.items())
        for id_, table in special.items():
            if id_ not in ids:
                table.fault("", "no group names this test")
        tests: list[Test] = []
        for id_ in ids:
            tests.append(self._test(id_, special.get(id_) or fields.within(id_, {}), tests))
        return tuple(tests)

    def _test(self, id_: str, fields: Fields, before: list[Test]) -> Test:
        """One test; `before` are the tests that are judged before it."""
        after, continues = fields.optional_text("after"), fields.flag("continues")
        waits_for = next((test for test in before if test.id == after), None)
        if after is not None and waits_for is None:
            fields.fault("after", f'"{after}" is not a test that is judged before this one')
        if continues and not before:
            fields.fault("continues", "there is no test before this one")
        files = laid(self.folder / f"{id_}.in")
        if continues and files is not None:
            fields.fault("continues", f"{files.name} can be laid into a new workspace alone")
        main = fields.optional_text("main")
        if main and not self.header:
            fields.fault("main", 'is for header problems: name the "header" in [build]')
        if self.header and not main and not self.header.main:
            fields.fault("main", f"test {id_} has no main, and [build] names none for all")
        test = Test(
            id=id_,
            limits=read_limits(fields, self.limits),
            input=self._input(id_, fields),
            answer=self._answer(id_, fields),
            files=files,
            after=after,
            continues=continues,
            leak_check=read_leak_check(fields),
            arguments=fields.texts("arguments", ()),
            check_arguments=fields.texts("check_arguments", ()),
            input_arguments=fields.texts("input_arguments", ()),
            languages=fields.texts("languages", ()),
            compare=read_compare(fields, is_compared=self.needs_answers),
            score_map=read_score_map(fields) if "score" in fields else None,
            main=fields.file("main", self.mains, main) if main else None,
        )
        for needed in (waits_for, before[-1] if continues and before else None):
            if needed and _is_for_more(test, needed):
                fields.fault("languages", f"test {needed.id}, which it builds on, is for fewer")
        fields.close()
        return test

    def _input(self, id_: str, fields: Fields) -> Path | None:
        name = fields.optional_text("input")
        if name is not None:
            return fields.file("input", self.folder, name)
        file = self.folder / f"{id_}.in"
        return file if file.is_file() else None

    def _answer(self, id_: str, fields: Fields) -> Path | None:
        name = fields.optional_text("answer")
        if name is not None:
            return fields.file("answer", self.folder, name)
        file = self.folder / f"{id_}.ans"
        if file.is_file():
            return file
        if self.needs_answers:
            fields.missing(file, f"the answer of test {id_} is missing")
        return None


def _is_for_more(test: Test, needed: Test) -> bool:
    if not needed.languages:
        return False
    return not test.languages or not set(test.languages) <= set(needed.languages)


def check_languages(
    fields: Fields, offered: Iterable[str], tests: Iterable[Test], groups: Iterable[Group]
) -> None:
    """Whether the languages of tests make sense beside those that the problem offers; faults go to
    `fields`, the table of the tests."""
    offered, by_id = tuple(offered), {test.id: test for test in tests}
    for test in by_id.values():
        place = f"{test.id}.languages"
        for id_ in test.languages:
            if id_ not in offered:
                fields.fault(place, f'"{id_}" is none of the languages of the problem')
            elif test.leak_check and id_ not in CHECKED_FOR_LEAKS:
                fields.fault(place, f'"{id_}": {NO_LEAK_CHECK}')
    for group in groups:
        theirs = [by_id[id_].languages or offered for id_ in group.tests if id_ in by_id]
        for id_ in offered:
            if not any(id_ in languages for languages in theirs):
                reason = f'group {group.name} has no test for submissions in "{id_}"'
                fields.fault("", reason)
