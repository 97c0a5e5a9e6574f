"""Pages with a message instead of questions, such as for a finished submission or an unknown link."""

from http import HTTPStatus

from starlette.responses import Response

from batchwright.base.i18n import _
from batchwright.service.participate.addresses import Addresses
from batchwright.service.participate.multipart import InvalidForm
from batchwright.service.participate.pages import PageLink, message_page
from batchwright.service.store.submissions import AssignmentRefusal


def unknown_page(addresses: Addresses) -> Response:
    """An unknown or incomplete link."""
    return message_page(
        addresses,
        "unknown",
        _("This link does not work"),
        _("It may be incomplete or out of date. Open the whole link as you received it."),
        status=HTTPStatus.NOT_FOUND,
    )


def not_ready_page(addresses: Addresses, *, is_processing: bool) -> Response:
    """A study without tasks; `is_processing`: they are being created."""
    return message_page(
        addresses,
        "not-ready",
        _("This study is not ready yet"),
        _("Its tasks are still being set up. Reload this page in a moment.")
        if is_processing
        else _("Its tasks are not set up. Ask the researcher when you can open this link again."),
    )


def not_eligible_page(addresses: Addresses) -> Response:
    """A test participant who may not take part in this study."""
    return message_page(
        addresses,
        "elsewhere",
        _("This study is not for you"),
        _("A test participant can take part only in studies of the researcher who created it."),
        status=HTTPStatus.FORBIDDEN,
    )


def no_group_page(addresses: Addresses, why: AssignmentRefusal) -> Response:
    """No group to assign, to anyone or to this participant."""
    if why is AssignmentRefusal.FULL:
        return message_page(
            addresses,
            why.value,
            _("All parts are taken"),
            _("Every part of this study has enough participants. There is nothing for you to do now."),
        )
    return message_page(
        addresses,
        why.value,
        _("You have answered everything"),
        _("There is nothing left to answer in this study. Your answers are saved."),
    )


def finished_page(addresses: Addresses, another: str | None, *, is_rejected: bool = False) -> Response:
    """A finished submission; `another` is the link to start the next one, if there is one.

    `is_rejected`: a page was sent after the last one, from another window.
    """
    return message_page(
        addresses,
        "finished",
        _("Thank you, you are done"),
        _("You have already finished, perhaps in another window. The page that you sent now was not saved.")
        if is_rejected
        else _("All your answers are saved. You can close this page."),
        status=HTTPStatus.CONFLICT if is_rejected else HTTPStatus.OK,
        link=PageLink(another, _("Answer another part")) if another else None,
    )


def replaced_page(addresses: Addresses, start: str, *, is_rejected: bool = False) -> Response:
    """A submission whose tasks or pages have been replaced, possibly before a page was sent."""
    return message_page(
        addresses,
        "replaced",
        _("This study has changed"),
        _(
            "The part you started no longer exists. The page that you sent now was not saved;"
            " earlier ones are."
        )
        if is_rejected
        else _("The part you started no longer exists. The answers you sent are saved."),
        status=HTTPStatus.GONE,
        link=PageLink(start, _("Start again")),
    )


def timed_out_page(addresses: Addresses, start: str, *, is_rejected: bool = False) -> Response:
    """A submission whose place another participant took, possibly before a page was sent."""
    inactive = (
        _(
            "You were inactive for a while, and someone else took your place. The page that you sent now was"
            " not saved; earlier ones are."
        )
        if is_rejected
        else _(
            "You were inactive for a while, and someone else took your place. The answers you sent are saved."
        )
    )
    return message_page(
        addresses,
        "lapsed",
        _("Your time for this part is over"),
        inactive,
        status=HTTPStatus.GONE,
        link=PageLink(start, _("Find another part")),
    )


def expired_page(addresses: Addresses) -> Response:
    """An expired or unknown preview."""
    return message_page(
        addresses,
        "expired",
        _("This preview has expired"),
        _("A preview can be opened for an hour. Create a new one from the layout."),
        status=HTTPStatus.GONE,
    )


def disk_full_page(addresses: Addresses) -> Response:
    """The disk is full; the browser still has the answers."""
    return message_page(
        addresses,
        "disk-full",
        _("Your answers could not be saved"),
        _("The disk of the service is full. Tell the researcher, then go back and send them again."),
        status=HTTPStatus.INSUFFICIENT_STORAGE,
    )


def error_page(addresses: Addresses) -> Response:
    """An internal error."""
    return message_page(
        addresses,
        "fault",
        _("This page cannot be shown"),
        _("The service has an internal error. Tell the researcher, then reload the page."),
        status=HTTPStatus.INTERNAL_SERVER_ERROR,
    )


def unreadable_page(addresses: Addresses, error: InvalidForm) -> Response:
    """A form that a page of the service cannot have sent."""
    if error.status is HTTPStatus.FORBIDDEN:
        heading, message = _("This form comes from another site"), _("Open the link of the study again.")
    elif error.status is HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        heading, message = _("Your answers are too long"), _("Go back and shorten them.")
    else:
        heading, message = _("Your answers did not arrive completely"), _("Go back and send them again.")
    return message_page(addresses, "unreadable", heading, message, status=error.status)
