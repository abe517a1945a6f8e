"""The specimens of a native package: what lies in `invalid_input/`, `invalid_output/` and
`valid_output/` beside the tests. `[specimens.ID]` says what the problem's programs are told."""

from collections.abc import Iterator
from pathlib import Path

from judge.model import Limits, Specimen, Test, Trial
from judge.packages.fields import Fields
from judge.packages.native_check import read_compare


def read_specimens(
    fields: Fields, folder: Path, limits: Limits, *, is_compared: bool
) -> Iterator[Specimen]:
    """Those below `folder`, which holds the tests; `fields` is the table of all that is special.
    `is_compared`: output is compared with the answer, by a rule of ours."""
    special = dict(fields.items())
    for trial in Trial:
        for file in sorted((folder / trial).glob("*.in")):
            id_ = f"{trial}/{file.stem}"
            table = special.pop(id_, fields.within(id_, {}))
            yield _specimen(trial, file, table, limits, is_compared=is_compared)
    for id_, table in special.items():
        table.fault("", f"there is no {id_}.in among the tests")


def _specimen(
    trial: Trial, file: Path, fields: Fields, limits: Limits, *, is_compared: bool
) -> Specimen:
    answer, output = file.with_suffix(".ans"), file.with_suffix(".out")
    test = Test(
        id=f"{trial}/{file.stem}",
        limits=limits,
        input=file,
        answer=answer if answer.is_file() else None,
        check_arguments=fields.texts("check_arguments", ()),
        input_arguments=fields.texts("input_arguments", ()),
        compare=read_compare(fields, is_compared=is_compared),
    )
    fields.close()
    if trial is Trial.INVALID_INPUT:
        return Specimen(trial, test)
    for needed in (output, answer) if is_compared else (output,):
        if not needed.is_file():
            fields.missing(needed, f"is missing beside {file.name}")
    return Specimen(trial, test, output)
