"""`adjudge problem check`: what can be known of a package without running anything."""

from pathlib import Path

import click

from judge.cli.console import json_option, print_json
from judge.cli.judge import NOT_ACCEPTED, Unusable
from judge.packages import check as check_package

packages_argument = click.argument(
    "packages", nargs=-1, required=True, type=click.Path(path_type=Path)
)
tests_option = click.option(
    "--tests",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of the hidden tests, for one package (default: ../../data/NAME beside it).",
)


def refuse_tests_of_several(packages: tuple[Path, ...], tests: Path | None) -> None:
    """Unusable where a folder of tests is named for more than one package."""
    if tests is not None and len(packages) > 1:
        raise Unusable(f"--tests names the tests of one package, and there are {len(packages)}")


@click.command()
@packages_argument
@tests_option
@click.option("--strict", is_flag=True, help="Let warnings count as well.")
@json_option
def check(packages: tuple[Path, ...], tests: Path | None, strict: bool, as_json: bool) -> None:
    """Find what is wrong with PACKAGES without running anything.

    Exit code: 0 fit to be served (warnings aside), 1 not.

    \b
    Example:  adjudge problem check problems/*
    """
    refuse_tests_of_several(packages, tests)
    faults = [fault for package in packages for fault in check_package(package, tests)]
    if as_json:
        rows = [
            {
                "file": str(fault.file),
                "key": fault.key,
                "reason": fault.reason,
                "warning": fault.is_warning,
            }
            for fault in faults
        ]
        print_json(rows)
    else:
        for fault in faults:
            click.echo(f"{'warning' if fault.is_warning else 'error'}: {fault}")
        errors = sum(not fault.is_warning for fault in faults)
        click.echo(f"{len(packages)} checked: {errors} errors, {len(faults) - errors} warnings")
    if any(strict or not fault.is_warning for fault in faults):
        raise click.exceptions.Exit(NOT_ACCEPTED)
