"""The header of the Collections stage: the state of the study, the next step, and the button for it."""

from dataclasses import dataclass, replace

from batchwright.base.i18n import _, ngettext
from batchwright.client.published_content import ContentComparison
from batchwright.ui.collections.state import CollectionsState
from batchwright.ui.core.formatting import number


@dataclass(frozen=True)
class CollectionsNextStep:
    """A sentence about the current state, and the button for the next step: an action or a stage."""

    sentence: str
    action: str = ""
    """The id of the action that the button runs; empty without a button."""
    stage: str = ""
    """The id of the stage that the button shows instead."""
    button: str = ""
    glyph: str = ""
    keys: str = ""
    reason_not: str = ""


def next_step(state: CollectionsState) -> CollectionsNextStep:
    """The next step for a study; includes its name while another collection is shown."""
    if not state.is_for_study:
        return _without_study(state)
    step = _step(state)
    if state.shows_own:
        return step
    named = _("“{study}”: {sentence}").format(study=state.name, sentence=step.sentence)
    return replace(step, sentence=named)


def _step(state: CollectionsState) -> CollectionsNextStep:
    title = _("Save to the service") if state.own_id else _("Create collection")
    glyph = "upload-simple" if state.own_id else "plus"
    if state.operation is not None:
        sentence = f"{state.operation.message.removesuffix('.')}."
        return CollectionsNextStep(
            sentence, "collections.publish", button=title, glyph=glyph, reason_not=sentence
        )
    if counts := state.problem_counts:
        sentence = _("Layout: {counts}.").format(counts=counts.text)
        return CollectionsNextStep(sentence, "next_problem", "layout", counts.next_label, keys="F8")
    if not state.study.layout.pages:
        sentence = _("The collection is empty. Next: add a question to its first page.")
        return CollectionsNextStep(sentence, "", "layout", _("Go to Layout"), "layout")
    if state.is_unfetched:
        return _unseen(state)
    if state.is_untitled and (state.own is None or state.comparison is ContentComparison.STUDY_CHANGED):
        sentence = _("The collection has no title: participants would read “{title}”. Next: name it.")
        return CollectionsNextStep(
            sentence.format(title=state.name),
            "collections.details",
            button=_("Name the collection…"),
            glyph="pencil-simple",
        )
    if state.own is None:
        sentence = _("The pages are ready. Next: create the collection.")
        if elsewhere := state.sent_elsewhere:
            sentence = _("{elsewhere} Next: create it here.").format(elsewhere=elsewhere)
            title = _("Create here")
        return CollectionsNextStep(sentence, "collections.publish", button=title, glyph=glyph)
    if state.own.collection_items is None:
        return _unseen(state)
    return _with_collection(state, title, glyph)


def _with_collection(state: CollectionsState, title: str, glyph: str) -> CollectionsNextStep:
    match state.comparison:
        case None:
            sentence = _("Comparing the study with the collection.")
            return CollectionsNextStep(
                sentence, "collections.publish", button=title, glyph=glyph, reason_not=sentence
            )
        case ContentComparison.REMOTE_CHANGED:
            sentence = _("The collection was changed elsewhere. Next: decide which version to keep.")
            return CollectionsNextStep(sentence, "collections.publish", button=title, glyph=glyph)
        case ContentComparison.STUDY_CHANGED:
            sentence = _("The study has changed since it was sent. Next: save it to the service.")
            return CollectionsNextStep(sentence, "collections.publish", button=title, glyph=glyph)
    saved = _("The collection is saved at the service.")
    if state.session.is_live:
        sentence = saved + " " + _("Next: use its id in a study on the platform.")
        return CollectionsNextStep(
            sentence, "collections.publish", button=title, glyph=glyph, reason_not=saved
        )
    if not state.shows_own:  # the other buttons are about the collection shown
        return CollectionsNextStep(saved)
    if state.answers:
        text = ngettext("It has {count} answer.", "It has {count} answers.", state.answers)
        sentence = saved + " " + text.format(count=number(state.answers))
        return CollectionsNextStep(
            sentence, "collections.answers", button=_("See answers"), glyph="chart-bar"
        )
    sentence = saved + " " + _("Next: take part yourself, or let others answer.")
    return CollectionsNextStep(
        sentence, "collections.participate", button=_("Open as participant"), glyph="arrow-square-out"
    )


def _without_study(state: CollectionsState) -> CollectionsNextStep:
    if state.operation is not None:
        return CollectionsNextStep(f"{state.operation.message.removesuffix('.')}.")
    if state.study.is_open:
        sentence = _("The open study is a batch. Next: open a collection of the workspace, or create one.")
    else:
        sentence = _("No collection is open. Next: open one of the workspace, or create one.")
    return CollectionsNextStep(sentence, "new_collection", button=_("New collection"), glyph="plus")


def _unseen(state: CollectionsState) -> CollectionsNextStep:
    """The step while the study's collection was not fetched yet."""
    remote = state.remote_collections
    if remote.needs_sign_in:
        sentence = _("Sign in to see the collection.")
        return CollectionsNextStep(sentence, "collections.refresh", button=_("Sign in"), glyph="lock-simple")
    has_failed = (remote.error or state.shown.error) is not None
    sentence = _("The collection could not be loaded.") if has_failed else _("Loading the collection.")
    return CollectionsNextStep(
        sentence,
        "collections.refresh",
        button=_("Refresh"),
        glyph="arrow-clockwise",
        reason_not="" if has_failed else sentence,
    )
