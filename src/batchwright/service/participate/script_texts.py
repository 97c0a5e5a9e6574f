"""The sentences that the page's own script says, which are those of `layout.answers`.

A pair is singular and plural; the script puts values in place of the names in braces.
"""

from collections.abc import Callable, Mapping, Sequence

from batchwright.base.i18n import _, ngettext
from batchwright.layout.pages.page import errors_heading_template


def browser_texts() -> Mapping[str, str | Sequence[str]]:
    """All of them, by the names that `participant.js` knows them by."""
    return {
        "answer": _("Please answer this question."),
        "number": _("Please enter a number, like 12 or 0.5."),
        "at_least": _("Please enter a number that is at least {least}."),
        "at_most": _("Please enter a number that is at most {most}."),
        "longer": _both(
            lambda count: ngettext(
                "Please write at least {least} character; there are {count} so far.",
                "Please write at least {least} characters; there are {count} so far.",
                count,
            )
        ),
        "shorter": _both(
            lambda count: ngettext(
                "Please write at most {most} character; there are {count} now.",
                "Please write at most {most} characters; there are {count} now.",
                count,
            )
        ),
        "unit": _("Please choose a unit."),
        "option": _("Please choose an option."),
        "fewer_options": _both(
            lambda count: ngettext(
                "Please choose only {limit} option.", "Please choose at most {limit} options.", count
            )
        ),
        "exclusive": _("“{label}” cannot be combined with other options."),
        "explain": _("Please explain your choice of “{label}”."),
        "more_files": _both(
            lambda count: ngettext(
                "Please add at least {fewest} file.", "Please add at least {fewest} files.", count
            )
        ),
        "fewer_files": _both(
            lambda count: ngettext(
                "Please add no more than {most} file.", "Please add no more than {most} files.", count
            )
        ),
        "file_type": _("“{name}” is not of an accepted type ({types})."),
        "file_size": _("“{name}” is larger than {size} MB."),
        "heading": _both(errors_heading_template),
        "error_title": _("Error: {title}"),
        "chosen": _("{count} of {limit} chosen"),
        "characters": _("{count} of {most} characters"),
        "image_failed": _("This image could not be loaded: {alt}"),
        "media_failed": _("This recording could not be loaded: {alt}"),
        "sending": _("Sending …"),
    }


def _both(form: Callable[[int], str]) -> tuple[str, str]:
    return form(1), form(2)
