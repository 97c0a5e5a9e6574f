"""The header of the Collections stage: the state of the study, the next step, and the button for it."""

from dataclasses import replace

from batchwright.base.i18n import _, ngettext
from batchwright.client.published_content import ContentComparison
from batchwright.ui.collections.state import CollectionsState
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.formatting import number
from batchwright.ui.core.next_step import NextStep


def next_step(state: CollectionsState) -> NextStep[ActionId]:
    """The next step for a study; includes its name while another collection is shown."""
    if not state.has_own:
        return _without_study(state)
    step = _step(state)
    if state.shows_own:
        return step
    named = _("“{study}”: {sentence}").format(study=state.name, sentence=step.text)
    return replace(step, text=named)


def _step(state: CollectionsState) -> NextStep[ActionId]:
    title = _("Save to the service") if state.own_id else _("Create collection")
    glyph = "upload-simple" if state.own_id else "plus"
    if state.operation is not None:
        sentence = f"{state.operation.message.removesuffix('.')}."
        return NextStep(sentence, ActionId.COLLECTIONS_PUBLISH, title, glyph, disabled_reason=sentence)
    if counts := state.problem_counts:
        sentence = _("Layout: {counts}.").format(counts=counts.text)
        return NextStep(sentence, ActionId.LAYOUT_NEXT_PROBLEM, counts.next_label, keys="F8", stage="layout")
    if not state.study.layout.pages:
        sentence = _("The collection is empty. Next: add a question to its first page.")
        return NextStep(sentence, None, _("Go to Layout"), "layout", stage="layout")
    if state.is_unfetched:
        return _unseen(state)
    if state.is_untitled and (state.own is None or state.comparison is ContentComparison.STUDY_CHANGED):
        sentence = _("The collection has no title: participants would read “{title}”. Next: name it.")
        return NextStep(
            sentence.format(title=state.name),
            ActionId.COLLECTIONS_DETAILS,
            _("Name the collection…"),
            "pencil-simple",
        )
    if state.own is None:
        sentence = _("The pages are ready. Next: create the collection.")
        if elsewhere := state.elsewhere:
            sentence = _("{elsewhere} Next: create it here.").format(elsewhere=elsewhere)
            title = _("Create here")
        return NextStep(sentence, ActionId.COLLECTIONS_PUBLISH, title, glyph)
    if state.own.collection_items is None:
        return _unseen(state)
    return _with_collection(state, title, glyph)


def _with_collection(state: CollectionsState, title: str, glyph: str) -> NextStep[ActionId]:
    match state.comparison:
        case None:
            sentence = _("Comparing the study with the collection.")
            return NextStep(sentence, ActionId.COLLECTIONS_PUBLISH, title, glyph, disabled_reason=sentence)
        case ContentComparison.REMOTE_CHANGED:
            sentence = _("The collection was changed elsewhere. Next: decide which version to keep.")
            return NextStep(sentence, ActionId.COLLECTIONS_PUBLISH, title, glyph)
        case ContentComparison.STUDY_CHANGED:
            sentence = _("The study has changed since it was sent. Next: save it to the service.")
            return NextStep(sentence, ActionId.COLLECTIONS_PUBLISH, title, glyph)
    saved = _("The collection is saved at the service.")
    if state.session.is_live:
        sentence = saved + " " + _("Next: use its id in a study on the platform.")
        return NextStep(sentence, ActionId.COLLECTIONS_PUBLISH, title, glyph, disabled_reason=saved)
    if not state.shows_own:  # the other buttons are about the collection shown
        return NextStep(saved)
    if state.answers:
        text = ngettext("It has {count} answer.", "It has {count} answers.", state.answers)
        sentence = saved + " " + text.format(count=number(state.answers))
        return NextStep(sentence, ActionId.COLLECTIONS_ANSWERS, _("See answers"), "chart-bar")
    sentence = saved + " " + _("Next: take part yourself, or let others answer.")
    return NextStep(sentence, ActionId.COLLECTIONS_PARTICIPATE, _("Open as participant"), "arrow-square-out")


def _without_study(state: CollectionsState) -> NextStep[ActionId]:
    if state.operation is not None:
        return NextStep(f"{state.operation.message.removesuffix('.')}.")
    if state.study.is_open:
        sentence = _("The open study is a batch. Next: open a collection of the workspace, or create one.")
    else:
        sentence = _("No collection is open. Next: open one of the workspace, or create one.")
    return NextStep(sentence, ActionId.NEW_COLLECTION, _("New collection"), "plus")


def _unseen(state: CollectionsState) -> NextStep[ActionId]:
    """The step while the study's collection was not fetched yet."""
    remote = state.remote_list
    if remote.needs_sign_in:
        sentence = _("Sign in to see the collection.")
        return NextStep(sentence, ActionId.COLLECTIONS_REFRESH, _("Sign in"), "lock-simple")
    has_failed = (remote.error or state.shown.error) is not None
    sentence = _("The collection could not be loaded.") if has_failed else _("Loading the collection.")
    return NextStep(
        sentence,
        ActionId.COLLECTIONS_REFRESH,
        _("Refresh"),
        "arrow-clockwise",
        disabled_reason="" if has_failed else sentence,
    )
