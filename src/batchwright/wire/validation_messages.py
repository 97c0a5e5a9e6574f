"""Converts pydantic errors of a request to the `detail` object of an error response (wire reference, 2.1)."""

from collections.abc import Mapping

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from batchwright.base.i18n import _

BODY_KEY = "body"
"""The key for errors of the body itself, which belong to no field."""


def field_messages(error: ValidationError) -> dict[str, list[str]]:
    """Return messages for each invalid field, by its name at the top level of the body.

    A message about a nested value starts with its path: `{"task_details": ["task_name: This field is
    required."]}`. Entries of arrays are counted from 1 for readers.
    """
    messages: dict[str, list[str]] = {}
    for fault in error.errors(include_url=False, include_input=False):
        name, *inside = fault["loc"] or (BODY_KEY,)
        told = messages.setdefault(str(name), [])
        sentence = _with_place(inside, _sentence(fault))
        if sentence not in told:
            told.append(sentence)
    return messages


def _with_place(inside: list[int | str], sentence: str) -> str:
    if not inside:
        return sentence
    steps = [
        _("entry {number}").format(number=step + 1) if isinstance(step, int) else step for step in inside
    ]
    return _("{place}: {sentence}").format(place=", ".join(steps), sentence=sentence)


def _sentence(error: ErrorDetails) -> str:
    template = _templates().get(error["type"])
    return template.format(**error.get("ctx", {})) if template else error["msg"]


def _templates() -> Mapping[str, str]:
    """Return our message for each type of pydantic error that a request can have."""
    an_object = _("This must be an object.")
    return {
        "missing": _("This field is required."),
        "string_type": _("This must be a string."),
        "string_unicode": _("This text contains a broken character and cannot be stored."),
        "int_type": _("This must be a whole number."),
        "bool_type": _("This must be true or false."),
        "tuple_type": _("This must be an array."),
        "dict_type": an_object,
        "model_type": an_object,
        "greater_than_equal": _("This must be at least {ge}."),
        "less_than": _("This must be less than {lt}."),
    }
