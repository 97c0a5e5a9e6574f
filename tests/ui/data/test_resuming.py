"""A study that is opened again finds out by itself what became of its upload."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from batchwright.bootstrap.rehearsing import workbench
from batchwright.jobs.sights import Sight
from batchwright.local.projects import Project
from batchwright.service.host import Running
from batchwright.ui.data.resuming import Left
from batchwright.ui.data.steps import next_step
from batchwright.ui.data.uploads import Phase
from batchwright.ui.data.view_model import DataViewModel
from batchwright.ui.session import Session
from batchwright.ui.study import Study
from batchwright.ui.tasks import Tasks
from batchwright.wire.datasets import Dataset
from batchwright.wire.imports import ImportStatus
from batchwright.workflows.messages import describe
from batchwright.workflows.workbench import Workbench
from tests.ui.conftest import until
from tests.ui.data.conftest import Benches, checked, find, no_sign_in

pytestmark = [pytest.mark.gui, pytest.mark.whole_program]

Steps = Callable[[DataViewModel, Workbench], Awaitable[None]]
Program = Callable[[Project, Steps], Project]
"""Opens a study in a program of its own, takes steps there, kills it, and gives back what was saved."""


@pytest.fixture
def program(service: tuple[Running, Path], loop: asyncio.AbstractEventLoop) -> Program:
    """Programs one after the other, on the same folders."""

    def run(project: Project, steps: Steps) -> Project:
        async def live() -> Project:
            study, tasks = Study(), Tasks(describe)
            async with workbench(*service, lambda _sentence: None) as bench:
                session = Session(Benches(bench), find, no_sign_in)
                model = DataViewModel(study, session, tasks, describe)
                model.dataset.held.is_shown = True
                study.open(project, None)
                await steps(model, bench)
                saved = study.project
                await tasks.aclose()
            return saved

        return loop.run_until_complete(live())

    return run


@pytest.fixture
def begun(program: Program, reviews: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Phase], Project]:
    """A study whose upload has come to a phase when the program was killed."""

    async def for_ever(*_what: object, **_further: object) -> None:
        await asyncio.Event().wait()

    async def no_sight(*_what: object) -> AsyncIterator[Sight]:
        await asyncio.Event().wait()
        yield Sight("never")

    def begin(phase: Phase) -> Project:
        async def steps(model: DataViewModel, bench: Workbench) -> None:
            if phase is Phase.SENDING:
                monkeypatch.setattr(bench.service.transfers, "upload", for_ever)
            monkeypatch.setattr(bench.watching, "sights", no_sight)
            model.open_file(reviews)
            await checked(model)
            model.dataset.upload()
            await until(lambda: phase_of(model) is phase, 30)

        return program(Project("Cats"), steps)

    return begin


def phase_of(model: DataViewModel) -> Phase | None:
    progress = model.dataset.uploads.progress
    return None if progress is None else progress.phase


async def ended(bench: Workbench, dataset_id: str) -> Dataset:
    """The dataset once its import has ended."""
    while True:
        dataset = await bench.service.datasets.get(dataset_id)
        if all(job.settled for job in dataset.imports or ()):
            return dataset


def dataset_of(project: Project) -> str:
    (remote,) = project.remotes.values()
    assert remote.dataset_id is not None
    assert not remote.has_data
    return remote.dataset_id


def test_what_had_not_arrived_is_sent_when_that_is_asked_for(
    program: Program, begun: Callable[[Phase], Project]
) -> None:
    project = begun(Phase.SENDING)

    async def steps(model: DataViewModel, _bench: Workbench) -> None:
        await until(lambda: model.dataset.left is Left.SENDING, 30)
        step = next_step(model)
        assert step.button == "Go on uploading"
        assert step.sentence == "The upload was stopped before the file had arrived. Next: go on with it."
        assert model.dataset.uploads.progress is None
        model.dataset.upload()
        await until(lambda: phase_of(model) is Phase.ENDED, 30)
        assert model.dataset.is_uploaded
        assert model.dataset.held.remote.dataset_id == dataset_of(project)

    program(project, steps)


def test_an_import_that_has_ended_meanwhile_is_known_without_pressing(
    program: Program, begun: Callable[[Phase], Project]
) -> None:
    project = begun(Phase.IMPORTING)

    async def steps(model: DataViewModel, bench: Workbench) -> None:
        dataset = await ended(bench, dataset_of(project))
        await until(lambda: model.dataset.is_uploaded, 30)
        assert model.dataset.held.remote.dataset_id == dataset.id
        assert phase_of(model) in (None, Phase.ENDED)
        assert "100 records are in the dataset on this computer" in next_step(model).sentence

    saved = program(project, steps)

    async def again(model: DataViewModel, _bench: Workbench) -> None:
        await until(lambda: model.dataset.is_uploaded, 30)

    program(saved, again)


def test_an_import_that_has_ended_is_known_when_its_file_is_gone_too(
    program: Program, begun: Callable[[Phase], Project], reviews: Path
) -> None:
    project = begun(Phase.IMPORTING)
    reviews.unlink()

    async def steps(model: DataViewModel, bench: Workbench) -> None:
        dataset = await ended(bench, dataset_of(project))
        model.dataset.held.look_again()
        await until(lambda: model.dataset.held.remote.has_data, 30)
        assert model.dataset.held.remote.dataset_id == dataset.id
        assert not model.dataset.is_uploaded, "nobody can tell of what it was made"

    program(project, steps)


def test_an_import_that_goes_on_is_watched_to_its_end(
    program: Program, begun: Callable[[Phase], Project], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = begun(Phase.IMPORTING)

    async def steps(model: DataViewModel, bench: Workbench) -> None:
        get = bench.service.datasets.get

        async def still_going(dataset_id: str) -> Dataset:
            dataset = await get(dataset_id)
            going = (replace_status(job) for job in dataset.imports or ())
            return dataset.model_copy(update={"imports": tuple(going)})

        def replace_status(job: object) -> object:
            return job.model_copy(update={"status": ImportStatus.PROCESSING})  # type: ignore[attr-defined]

        monkeypatch.setattr(bench.service.datasets, "get", still_going)
        await until(lambda: phase_of(model) is Phase.ENDED, 30)
        assert model.dataset.is_uploaded

    program(project, steps)


def test_other_data_has_nothing_to_do_with_it(
    program: Program, begun: Callable[[Phase], Project], reviews: Path, service: tuple[Running, Path]
) -> None:
    project = begun(Phase.IMPORTING)
    reviews.write_text("prompt,picture,topic\nWhich?,https://example.org/1.png,cats\n", encoding="utf-8")
    assert project.data is not None
    changed = replace(project, data=replace(project.data, size=reviews.stat().st_size))

    async def steps(model: DataViewModel, _bench: Workbench) -> None:
        await checked(model)
        await until(lambda: model.dataset.left is Left.NOTHING, 30)
        assert model.dataset.uploads.progress is None
        assert next_step(model).button == "Upload 1 record"

    program(changed, steps)
