"""Rehearsing a collection on any service: created, answered, exported, and verified."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from batchwright.api.http.errors import NotFound
from batchwright.base.files.atomic_files import write_atomically
from batchwright.base.i18n import _, program_language
from batchwright.base.json_values import Json, to_json
from batchwright.client.collection_content import desired_collection
from batchwright.client.context import WorkflowContext
from batchwright.client.errors import step
from batchwright.client.remote_study import RemoteStudy, remote_collection
from batchwright.local.projects import Project
from batchwright.wire.collections import AnswerRecord, Collection
from batchwright.wire.local_routes import ParticipantLanguage
from batchwright.workflows.answers.download_results import (
    download_export,
    download_responses,
    downloaded_text,
)
from batchwright.workflows.publishing.publish_collection import create_or_replace_collection
from batchwright.workflows.rehearsal.simulate import Behaviour, SimulatedParticipants
from batchwright.workflows.verification.checks import Check
from batchwright.workflows.verification.verify_export import verify_export_file


@dataclass(frozen=True)
class CollectionRehearsal:
    """The result of rehearsing a collection."""

    collection: Collection
    participants: int
    responses: Sequence[AnswerRecord] | None
    """None if the service does not list the answers of collections."""
    checks: Sequence[Check]

    @property
    def passed(self) -> bool:
        """Whether all checks passed."""
        return all(check.passed for check in self.checks)


async def rehearse_collection(
    context: WorkflowContext,
    study: Project,
    out: Path,
    *,
    participants: int,
    seed: int,
    behaviour: Behaviour,
) -> CollectionRehearsal:
    """Create a collection, let simulated participants answer, and download what they answered to `out`.

    Args:
        context: the context of the connection.
        study: a collection study without problems.
        out: the folder for `responses.json`, `export.zip` and `summary.json`.
        participants: how many simulated participants answer; only the service on this computer has them.
        seed: the same seed gives the same answers.
        behaviour: how they answer.

    Raises:
        StepFailed: names the step that failed and contains the error.
    """
    with step(_("Creating the collection")):
        published = await create_or_replace_collection(context, desired_collection(study), None)
    collection = published.resource
    context.notify(_("Created the collection {id}.").format(id=collection.id))
    answered = 0
    if participants:
        with step(_("Simulating participants")):
            setting = ParticipantLanguage(language=study.language or program_language().tag)
            await context.service.local.set_language_of_collection(collection.id, setting)
            link = (await context.service.local.participation_in_collection(collection.id)).url
            simulation = SimulatedParticipants(link, seed, participants, behaviour)
            answered = len([number async for number in simulation.run()])
        context.notify(_("Simulated participants who answered: {count}.").format(count=answered))
    remote = remote_collection(collection.id)
    responses = await _download_responses(context, remote, out)
    with step(_("Downloading the export")):
        await download_export(context, remote, out / "export.zip")
    verification = await asyncio.to_thread(
        verify_export_file, out / "export.zip", responses or (), is_collection=True
    )
    checks = verification.checks if responses is not None else verification.checks[:1]
    rehearsal = CollectionRehearsal(collection, answered, responses, checks)
    write_atomically(
        out / "summary.json", f"{to_json(_summary(rehearsal, seed, behaviour), indent=2)}\n".encode()
    )
    return rehearsal


async def _download_responses(
    context: WorkflowContext, remote: RemoteStudy, out: Path
) -> Sequence[AnswerRecord] | None:
    """Download the answers; None if the service does not offer them (wire reference, section 10.3)."""
    with step(_("Downloading the answers")):
        try:
            responses = await download_responses(context, remote, out / "responses.json")
        except NotFound:
            context.notify(_("This service does not list the answers of collections; see the export."))
            return None
    context.notify(downloaded_text(len(responses)))
    return responses


def _summary(rehearsal: CollectionRehearsal, seed: int, behaviour: Behaviour) -> Json:
    """The content of `summary.json`: ids, counts, and the results of the checks."""
    has_responses = rehearsal.responses is not None
    return {
        "collection_id": rehearsal.collection.id,
        "pages": rehearsal.collection.page_count,
        "participants": rehearsal.participants,
        "seed": seed,
        "behaviour": asdict(behaviour),
        "responses": len(rehearsal.responses) if rehearsal.responses is not None else None,
        "proofs": [
            {"statement": check.statement, "holds": check.passed, "found": check.actual}
            for check in rehearsal.checks
        ],
        "files": [*(("responses.json",) if has_responses else ()), "export.zip"],
    }
