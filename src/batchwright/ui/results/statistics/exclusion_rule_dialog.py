"""The dialog for a rule by which answers or participants are excluded."""

from PySide6.QtWidgets import QLineEdit
from typing_extensions import override

from batchwright.analysis.store.exclusion_rules import ExclusionRule, Measure, Operator
from batchwright.base.i18n import N_, _
from batchwright.ui.widgets.dialogs.dialog import Dialog
from batchwright.ui.widgets.entered_numbers import entered_number, number_example
from batchwright.ui.widgets.fields import InputField
from batchwright.ui.widgets.no_wheel import FormComboBox

_RELATIONS = (
    (Operator.BELOW, N_("is below")),
    (Operator.AT_MOST, N_("is at most")),
    (Operator.ABOVE, N_("is above")),
    (Operator.AT_LEAST, N_("is at least")),
)


class ExclusionRuleDialog(Dialog):
    """Asks for a rule; `has_gold` is whether the field with the right answers is chosen."""

    help_address = "results.md#exclusions"

    def __init__(self, *, has_gold: bool) -> None:
        text = _(
            "What the rule finds is left out of all results, also among answers that arrive later. The list "
            "of exclusions and the report state the rule with its count. Nothing is deleted."
        )
        super().__init__(_("Exclude by rule"), text, _("Exclude"))
        self.measure, self.relation, self.limit = FormComboBox(), FormComboBox(), QLineEdit()
        for measure in Measure:
            if has_gold or measure is not Measure.GOLD:
                self.measure.add(_(measure.label), measure)
        for relation, label in _RELATIONS:
            self.relation.add(_(label), relation)
        hint = "" if has_gold else _("Choose the field with the right answers to exclude by them, too.")
        self._field = InputField(_("Limit"), self.limit, hint=_("Shares are from 0 to 1."), required=True)
        self.rule: ExclusionRule | None = None
        """The rule, once the dialog is accepted."""
        self.add(
            InputField(_("Exclude if"), self.measure, hint=hint),
            InputField(_("Comparison"), self.relation),
            self._field,
        )

    @override
    def accept(self) -> None:
        limit = entered_number(self.limit.text())
        if limit is None:
            self._field.show_error(_("Enter a number such as {example}.").format(example=number_example()))
            self.limit.setFocus()
            return
        measure, relation = Measure[self.measure.currentData().upper()], Operator(self.relation.currentData())
        self.rule = ExclusionRule(measure, relation, limit)
        super().accept()
