"""Records as the store has them: JSON text, read again."""

from batchwright.base.json_values import JsonObject, is_object, parse


def record_in(text: str) -> JsonObject:
    """The record in a text that the store wrote.

    Raises:
        ValueError: it is none; the database was changed by somebody else.
    """
    value = parse(text)
    if not is_object(value):
        raise ValueError("a stored record is no object")
    return value
