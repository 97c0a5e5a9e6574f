"""The dialog with the form of a step, made from its description."""

from collections.abc import Mapping, Sequence

from batchwright.base.i18n import _
from batchwright.base.json_values import Json, JsonObject
from batchwright.ui.data.prepare.step_controls import AskedOption, StepControl, create_control
from batchwright.ui.data.prepare.step_forms import STEP_FORMS, FieldKind, StepField, StepForm, guess, is_asked
from batchwright.ui.theme.foreign import sanitize_line
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.fields import InputField

_MAY_BE_EMPTY = {"separator", "ending"}
"""Options without a default whose text may be empty."""


class StepDialog(Dialog):
    """Asks for the options of a step; `entry` is the step as entered, as it is stored.

    Args:
        entry: the step so far; a new one has no options.
        columns: those of the table before the step.
        accept_text: the text of the button.
    """

    help_address = "prepare.md"

    def __init__(self, entry: JsonObject, columns: Sequence[str], accept_text: str) -> None:
        self.entry, self._before = entry, entry
        form = STEP_FORMS[str(entry["step"])]
        super().__init__(_(form.label), _(form.purpose), accept_text)
        self._form, self._fields = form, dict[str, InputField]()
        self._controls: dict[str, StepControl] = {}
        self._shown: dict[str, Json] = {}
        """What each control shows of its option before it is changed."""
        for field in form.fields:
            value = entry.get(field.name, _initial(field, columns))
            control = create_control(AskedOption(field, value, columns, self._on_changed))
            hint = _(field.hint) if field.hint else ""
            is_required = field.default is None
            shown = InputField(
                _(field.title), control.widget, hint=hint, required=is_required, corner=control.corner
            )
            self._controls[field.name], self._fields[field.name] = control, shown
            self._shown[field.name] = control.value()
            self.add(shown)
        self._on_changed()

    def _on_changed(self) -> None:
        """Show the options that are asked for, and take over what is entered."""
        if len(self._controls) < len(self._form.fields):
            return
        values = {name: self._value(name) for name in self._controls}
        asked = [field for field in self._form.fields if is_asked(field, values)]
        problems = {field.name: self._controls[field.name].problem() for field in asked}
        for name, shown in self._fields.items():
            shown.setVisible(name in problems)
            shown.show_error(sanitize_line(problems.get(name, "")))
        others = {key: value for key, value in self.entry.items() if key in ("step", "off")}
        self.entry = {**others, **_options(self._form, values)}
        missing = [field for field in self._form.fields if _is_missing(field, values)]
        reasons = [_("Enter “{option}” first.").format(option=_(field.title)) for field in missing]
        reasons += filter(None, problems.values())
        self.accept_button.set_disabled_reason(next(iter(reasons), ""))

    def _value(self, name: str) -> Json:
        """The value of an option: as it is stored until it is changed, as controls may not show all of it."""
        value = self._controls[name].value()
        return self._before.get(name, value) if value == self._shown[name] else value


def _initial(field: StepField, columns: Sequence[str]) -> Json:
    return guess(field, columns) if field.default is None and field.kind in _OF_COLUMNS else field.default


_OF_COLUMNS = (FieldKind.COLUMN, FieldKind.COLUMNS)


def _is_missing(field: StepField, values: Mapping[str, Json]) -> bool:
    is_needed = field.default is None and field.name not in _MAY_BE_EMPTY
    return is_needed and values[field.name] in ("", [], {})


def _options(form: StepForm, values: Mapping[str, Json]) -> JsonObject:
    """The options as they are stored: without those that have their defaults or are not asked for."""
    return {
        field.name: values[field.name]
        for field in form.fields
        if is_asked(field, values) and values[field.name] != field.default
    }
