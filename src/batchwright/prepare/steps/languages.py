"""Which language the texts of a column are in, and the rows in some languages."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from typing_extensions import override

from batchwright.base.i18n import N_, _, ngettext
from batchwright.prepare.columns import LANGUAGE
from batchwright.prepare.problems import StepProblem
from batchwright.prepare.reports import BalanceRow
from batchwright.prepare.steps.step import Step, StepResult, require_columns
from batchwright.prepare.tables import AddedColumn, ArrangedTable, PreparedTable

_LEAST_CONFIDENCE = 0.2
"""The least confidence of py3langid, from 0 to 1; it is below for a few words, numbers and programs."""
_MAX_CHARS = 2000
"""The characters of a text that are read."""


@dataclass(frozen=True)
class KeepLanguages(Step):
    """Keep the rows whose text is in some languages, and name the language of each."""

    label: ClassVar[str] = N_("Language")
    column: str
    languages: tuple[str, ...] = ()
    """The codes of the languages that are kept (ISO 639), such as `en`; empty for all."""
    keeps_unknown: bool = True
    """Whether rows are kept whose text is too short to tell its language."""

    @override
    def __call__(self, table: PreparedTable) -> StepResult:
        require_columns(table, [self.column])
        numbered = table.numbered(self.column)
        found = _languages(table.texts(self.column, numbered.first_rows), self.languages)
        names, of_texts = np.unique([*found, ""], return_inverse=True)
        of_rows = of_texts[numbered.of_rows]
        is_kept = np.array([self._keeps(str(name)) for name in names])[of_rows]
        kept = np.flatnonzero(is_kept)
        counts = np.bincount(of_rows, minlength=len(names))
        balance = tuple(
            BalanceRow(_("Rows in a language"), str(name) or _("(unknown)"), int(count))
            for name, count in zip(names, counts, strict=True)
            if count
        )
        left_out = table.length - len(kept)
        text = ngettext("{count} row is left out.", "{count} rows are left out.", left_out)
        notes = (text.format(count=left_out),) if left_out else ()
        places = np.where(names == "", -1, np.arange(len(names)))[of_rows[kept]]
        added = {LANGUAGE: AddedColumn(places, names.tolist())}
        return StepResult(ArrangedTable(table, kept, added), notes, balance)

    def _keeps(self, language: str) -> bool:
        if not language:
            return self.keeps_unknown or not self.languages
        return not self.languages or language in self.languages


def _languages(texts: Iterable[str], wanted: Iterable[str]) -> list[str]:
    """The code of the language of each text; empty if it cannot be told.

    Raises:
        StepProblem: a wanted language is not known.
    """
    # Loaded only for this step; its model takes 0.6 s.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier  # noqa: PLC0415

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    if unknown := [code for code in wanted if code not in identifier.labels]:
        text = _("“{code}” is not the code of a language, such as “en”, “de” or “ja”.")
        raise StepProblem(text.format(code=unknown[0]))
    found = (identifier.classify(text[:_MAX_CHARS]) for text in texts)
    return [language if confidence >= _LEAST_CONFIDENCE else "" for language, confidence in found]
