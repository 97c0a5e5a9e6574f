"""`batchwright self-test`: the program checks itself, built or not."""

import argparse
import tempfile
from pathlib import Path

from batchwright.commands import rehearse
from batchwright.resources import resource


def run(_options: argparse.Namespace) -> int:
    """Rehearse the sample study on a service of its own and a temporary profile; 0 when everything holds."""
    sample = ("samples", "preference")
    with tempfile.TemporaryDirectory(prefix="batchwright-self-test-") as folder:
        return rehearse.run(
            argparse.Namespace(
                layout=resource(*sample, "layout.json"),
                schema=resource(*sample, "schema.json"),
                data=resource(*sample, "records.csv"),
                tasks_per_group=4,
                annotators_per_task=2,
                participants=6,
                seed=1,
                out=Path(folder),
                url=None,
            )
        )
