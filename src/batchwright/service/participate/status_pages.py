"""Pages that say how things stand, when there is no question to ask."""

from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.i18n import _
from batchwright.service.participate.addresses import Addresses
from batchwright.service.participate.multipart import InvalidForm
from batchwright.service.participate.pages import PageLink, message_page
from batchwright.service.store.submissions import AssignmentRefusal


def unknown_page(addresses: Addresses) -> Response:
    """A link that leads nowhere, or is not complete."""
    return message_page(
        addresses,
        "unknown",
        _("This link does not work"),
        _("It may be cut off or out of date. Open the whole link as you were given it."),
        status=HTTPStatus.NOT_FOUND,
    )


def not_ready_page(addresses: Addresses) -> Response:
    """A study whose tasks are not there yet."""
    return message_page(
        addresses,
        "not-ready",
        _("This study is not ready yet"),
        _("Its tasks are still being set up. Load this page again in a moment."),
    )


def not_eligible_page(addresses: Addresses) -> Response:
    """A test participant at a study where it may not take part."""
    return message_page(
        addresses,
        "elsewhere",
        _("This study is not for you"),
        _("A test participant can take part only in studies of the researcher who made it."),
        status=HTTPStatus.FORBIDDEN,
    )


def no_group_page(addresses: Addresses, why: AssignmentRefusal) -> Response:
    """Nothing to hand out, to anybody or to this person."""
    if why is AssignmentRefusal.FULL:
        return message_page(
            addresses,
            why.value,
            _("All parts are taken"),
            _("Every part of this study has enough people. There is nothing for you to do now."),
        )
    return message_page(
        addresses,
        why.value,
        _("You have answered everything"),
        _("Nothing is left in this study that you have not answered. Your answers are kept."),
    )


def finished_page(addresses: Addresses, another: str | None) -> Response:
    """The end of a submission; `another` leads to the start of the next, if there is one."""
    return message_page(
        addresses,
        "finished",
        _("Thank you, you are done"),
        _("All your answers are kept. You can close this page."),
        link=PageLink(another, _("Answer another part")) if another else None,
    )


def replaced_page(addresses: Addresses, start: str) -> Response:
    """A submission whose tasks or pages are gone."""
    return message_page(
        addresses,
        "replaced",
        _("This study has changed"),
        _("What you had begun is no longer part of it. What you sent is kept."),
        status=HTTPStatus.GONE,
        link=PageLink(start, _("Begin again")),
    )


def timed_out_page(addresses: Addresses, start: str) -> Response:
    """A submission whose place was taken."""
    return message_page(
        addresses,
        "lapsed",
        _("Your time for this part is over"),
        _("You were away for more than an hour, and somebody else took your place. What you sent is kept."),
        status=HTTPStatus.GONE,
        link=PageLink(start, _("Look for another part")),
    )


def expired_page(addresses: Addresses) -> Response:
    """A preview that is over, or never was."""
    return message_page(
        addresses,
        "expired",
        _("This preview is over"),
        _("A preview can be opened for an hour. Make a new one from the layout."),
        status=HTTPStatus.GONE,
    )


def disk_full_page(addresses: Addresses) -> Response:
    """No room for what was sent; the browser still has it."""
    return message_page(
        addresses,
        "disk-full",
        _("Your answers could not be kept"),
        _("The disk of the service is full. Tell the researcher, then go back and send them again."),
        status=HTTPStatus.INSUFFICIENT_STORAGE,
    )


def fault_page(addresses: Addresses) -> Response:
    """A fault of ours."""
    return message_page(
        addresses,
        "fault",
        _("This page cannot be shown"),
        _("The service has a fault. Tell the researcher, then load the page again."),
        status=HTTPStatus.INTERNAL_SERVER_ERROR,
    )


def unreadable_page(addresses: Addresses, fault: InvalidForm) -> Response:
    """A form that no page of ours could have sent."""
    if fault.status is HTTPStatus.FORBIDDEN:
        heading, sentence = _("This form comes from another site"), _("Open the link of the study again.")
    elif fault.status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        heading, sentence = _("Your answers are too long"), _("Go back and shorten them.")
    else:
        heading, sentence = _("Your answers did not arrive whole"), _("Go back and send them again.")
    return message_page(addresses, "unreadable", heading, sentence, status=fault.status)
