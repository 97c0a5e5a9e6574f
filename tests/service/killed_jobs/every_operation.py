"""All operations by name."""

from collections.abc import Callable, Mapping

from tests.service import v3_helpers
from tests.service.killed_jobs.answers import Answering
from tests.service.killed_jobs.appending import Appending
from tests.service.killed_jobs.jobs import (
    CSV,
    JSONL,
    Importing,
    ImportingV3,
    Migrating,
    ReadingFaulty,
    SettingUp,
    SettingUpTwice,
    Syncing,
)
from tests.service.killed_jobs.operations import Operation
from tests.service.killed_jobs.transfers import Exporting, Uploading

OPERATIONS: Mapping[str, Callable[[], Operation]] = {
    "upload": Uploading,
    "import CSV": lambda: Importing(
        "a.csv", CSV.replace(b",META_TASK_GROUP_ID", b",other") + b"one,two,three\n"
    ),
    "import JSONL": lambda: Importing("a.jsonl", JSONL + b"no json\n"),
    "import V3 CSV": lambda: ImportingV3("a.csv", CSV),
    "import V3 ZIP": lambda: ImportingV3("a.zip", v3_helpers.zipped(("a.csv", CSV))),
    "read a faulty V3 file": ReadingFaulty,
    "setup": SettingUp,
    "setup over another": SettingUpTwice,
    "sync": Syncing,
    "append": Appending,
    "migration": Migrating,
    "export of a batch": lambda: Exporting("batches"),
    "export of a collection": lambda: Exporting("collections"),
    "answers to a batch": lambda: Answering("batches"),
    "answers to a collection": lambda: Answering("collections"),
}
