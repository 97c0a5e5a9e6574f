"""What a participant saw who gave an answer: the layout, the record, and the answers to its task."""

import asyncio

from batchwright.analysis.store.answer_query import AnswerRow
from batchwright.base.i18n import _
from batchwright.local.projects import study_name
from batchwright.ui.results.answers.answer_grid import answers_to_same_task
from batchwright.ui.results.state import ResultsState
from batchwright.ui.study.answered_record import AnsweredRecord
from batchwright.wire.local_routes import is_simulated


async def answered_record(state: ResultsState, answer: AnswerRow) -> AnsweredRecord:
    """Find what the participant saw."""
    answers = await asyncio.to_thread(answers_to_same_task, state.answers.answer_store, answer)
    other, study = state.source.other, state.study
    who = (
        _("Answers of simulated participant {id}")
        if is_simulated(answer.participant)
        else _("Answers of participant {id}")
    )
    record = state.records.find(answer.task) or answer.fields
    return AnsweredRecord(
        study.details.task_name or study_name(study.project) if other is None else other.name,
        state.answers.layout_of(answer),
        study.schema if other is None else None,
        dict(record) if answer.task else None,
        answer.question.instruction_id,
        who.format(id=answer.participant),
        {each.question.instruction_id: each.entries for each in answers},
    )
