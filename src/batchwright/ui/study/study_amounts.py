"""How much there is to judge in the data file of the study, and how long a participant takes."""

from contextlib import suppress
from dataclasses import dataclass

from batchwright.data_files.record_amounts import RecordAmounts, count_amounts
from batchwright.data_files.rows import UnreadableFile
from batchwright.layout.working_time import WorkingTime, working_time
from batchwright.ui.core.child_process import run_in_process
from batchwright.ui.study.study_model import Study


@dataclass(frozen=True)
class StudyAmounts:
    """The amounts of the data file, and the working time that follows from them."""

    amounts: RecordAmounts
    time: WorkingTime


async def count_study(study: Study) -> StudyAmounts | None:
    """Count the records of the study's file; None without a file, or if it is missing or has changed."""
    data, schema, layout = study.data, study.schema, study.layout
    if data is None or schema is None:
        return None
    with suppress(OSError, UnreadableFile):
        file = await study.records_files.of(data)
        amounts = await run_in_process(
            count_amounts,
            file,
            tuple(schema.fields),
            schema.task_group_field,
            on_progress=lambda *_part: None,
        )
        return StudyAmounts(amounts, working_time(layout, schema, amounts.characters))
    return None
