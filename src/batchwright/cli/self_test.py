"""`batchwright self-test`: tests the installed or built program."""

import argparse
import os
from pathlib import Path

from batchwright.base.files.temporary_files import temporary_folder
from batchwright.base.i18n import _
from batchwright.base.resources import resource
from batchwright.cli import rehearse
from batchwright.cli.console import print_message
from batchwright.local.paths import Folders


def run(_options: argparse.Namespace) -> int:
    """Rehearse the sample study, and show all stages of a window; returns 0 on success."""
    with temporary_folder("self-test") as folder:
        return _rehearse(folder / "rehearsal") or _visit_stages(folder / "profile")


def _rehearse(out: Path) -> int:
    sample = ("samples", "preference")
    return rehearse.run(
        argparse.Namespace(
            layout=resource(*sample, "layout.json"),
            schema=resource(*sample, "schema.json"),
            data=resource(*sample, "records.csv"),
            collection=None,
            append=None,
            language=None,
            tasks_per_group=4,
            annotators_per_task=2,
            participants=6,
            seed=1,
            random_share=0.2,
            first_option_share=0.0,
            seconds_per_page=0.0,
            out=out,
            url=None,
            workspace=None,
            token_file=None,
            ca_file=None,
        ),
        keeps_results=False,
    )


def _visit_stages(profile: Path) -> int:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from batchwright.app.window import run_self_test  # noqa: PLC0415

    folders = Folders(data=profile / "data", cache=profile / "cache")
    folders.create()
    problems = run_self_test(folders)
    for text in problems:
        print_message(text)
    print(
        _("FAILED  Not every stage of the window opens.")
        if problems
        else _("ok      Every stage of the window opens.")
    )
    return 1 if problems else 0
