"""Best–worst scaling from the items to Results: what simulated participants prefer is found again."""

import json
from contextlib import closing
from itertools import permutations
from math import exp
from pathlib import Path
from random import Random
from typing import ClassVar

import pytest
from typing_extensions import override

from batchwright.analysis.analyse import chosen_items
from batchwright.analysis.design_settings import with_design
from batchwright.analysis.prepared_answers import prepare
from batchwright.analysis.result_settings import AnalysisSettings
from batchwright.analysis.statistics.best_worst.best_worst_results import BestWorstResults
from batchwright.analysis.store.answer_files import read_saved_answers
from batchwright.api.participant_client import OpenPage, ParticipantClient, SubmissionFinished
from batchwright.base.json_values import Json
from batchwright.data_files.layout_proposals import ProposalKind, propose_layouts
from batchwright.data_files.profiling import profile_file
from batchwright.layout.serialization import random_keys
from batchwright.prepare.preparation import read_steps, results, write_records
from batchwright.schema.item_sets import identity_column
from batchwright.service.participate.pages import record_digest
from batchwright.service.process import ServiceAddress
from batchwright.workflows.rehearsal import rehearse as rehearsal
from batchwright.workflows.rehearsal.rehearse import RehearsalInput, RehearsalOptions, rehearse
from batchwright.workflows.rehearsal.simulate import SimulatedParticipants
from tests.api.studies import DETAILS
from tests.data_files.files import JSONL
from tests.prepare.tables import table_of
from tests.workflows.contexts import context_at

STRENGTHS = {"ant": -2.0, "bee": -1.2, "cat": -0.4, "dog": 0.4, "elk": 1.2, "fox": 2.0}
STEPS: list[Json] = [{"step": "sets", "item": "name", "shown": ["text"], "size": 3, "repeats": 10, "seed": 5}]
PARTICIPANTS = 6


class Choosing(SimulatedParticipants):
    """Participants who choose the best and the worst item by the maximum difference model."""

    sets: ClassVar[dict[str, list[str]]] = {}
    """The items of each record, by its digest."""

    @override
    async def _submit(
        self, pages: ParticipantClient, number: int, page: OpenPage
    ) -> OpenPage | SubmissionFinished:
        items, random = self.sets[page.record or ""], Random(f"{number} {page.record}")
        pairs = list(permutations(range(len(items)), 2))
        weights = [exp(STRENGTHS[items[a]] - STRENGTHS[items[b]]) for a, b in pairs]
        ((best, worst),) = random.choices(pairs, weights)
        return await pages.answer(page, [("i0", str(best)), ("i1", str(worst))])


async def test_items_of_prepared_sets_are_found_in_the_order_of_their_strengths(
    running: ServiceAddress, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (result,) = results(
        table_of({"name": name, "text": f"The {name} is here."} for name in STRENGTHS), read_steps(STEPS)
    )
    data = tmp_path / "sets.jsonl"
    with data.open("wb") as out:
        write_records(result.table, out)
    profile = profile_file(data, JSONL)
    proposal, *_others = propose_layouts(profile.proposal.schema, profile, random_keys())
    assert proposal.kind is ProposalKind.BEST_WORST
    records = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines()]
    sets = {record_digest(of): [of[identity_column(letter)] for letter in "ABC"] for of in records}
    monkeypatch.setattr(Choosing, "sets", sets)
    monkeypatch.setattr(rehearsal, "SimulatedParticipants", Choosing)
    study = RehearsalInput("Animals", proposal.layout, proposal.schema, data, DETAILS)
    options = RehearsalOptions(len(records), PARTICIPANTS, PARTICIPANTS)
    (tmp_path / "out").mkdir()
    async with context_at(
        tmp_path, running.url, token=running.token, workspace=running.workspace_id
    ) as context:
        done = await rehearse(context, study, options, tmp_path / "out")
    assert done.passed
    found = analysed(tmp_path / "out" / "export.zip")
    assert [row.item for row in found.items] == [*reversed(STRENGTHS)]
    for row in found.items:
        assert row.shown == 10 * PARTICIPANTS
        assert row.strength_low < STRENGTHS[row.item] < row.strength_high
    assert [row.shown for row in found.places] == [len(records) * PARTICIPANTS] * 3


def analysed(path: Path) -> BestWorstResults:
    """The results of an export with what is found without asking."""
    with closing(read_saved_answers(path).store) as store:
        table = store.table()
    settings = with_design(AnalysisSettings(), table)
    return chosen_items(prepare(table, settings).included, settings)
