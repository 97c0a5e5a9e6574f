"""What a researcher chooses for an analysis, and how that is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from batchwright.analysis.statistics.agreement.final_answers import (
    FinalAnswer,
)
from batchwright.analysis.statistics.agreement.label_models import LabelModel
from batchwright.analysis.statistics.best_worst.set_fields import BestWorstFields
from batchwright.analysis.statistics.comparisons.system_results import (
    SystemFields,
)
from batchwright.analysis.statistics.planning.needed_records import (
    USUAL_WIDTH,
)
from batchwright.analysis.statistics.roles.question_roles import (
    Roles,
)
from batchwright.analysis.statistics.unit_conversion import UnitConversion
from batchwright.analysis.store.exclusions import Exclusions
from batchwright.analysis.store.sampling import Clusters

K = TypeVar("K")
V = TypeVar("V")

FIELDS = ("systems", "gold_field", "weight_field", "best_worst", "split_field")
"""The settings of fields on which a preparation may have decided."""


@dataclass(frozen=True)
class AnalysisSettings:
    """What a researcher chooses for an analysis."""

    exclusions: Exclusions = field(default_factory=Exclusions)
    seed: int = 0
    """Seed of all random numbers."""
    systems: SystemFields | None = None
    """The fields that name the systems in a comparison of two sides."""
    gold_field: str = ""
    """The field with the right answer, for records where it is known."""
    units: tuple[UnitConversion, ...] = ()
    """How numbers are converted to other units, for the results; files with answers have them as given."""
    roles: Roles = field(default_factory=dict)
    """What questions and options stand for; those of others are what their values and labels say."""
    final_answers: tuple[FinalAnswer, ...] = ()
    """Final answers about records, which change no result."""
    gold_question: str = ""
    """Id of the question that `gold_field` answers; without it, all questions of which it names options."""
    further_answers: int = 0
    """A number of further answers with which the precision is computed, besides the usual ones."""
    label_model: LabelModel = LabelModel.MAJORITY
    """How labels are estimated besides the majority."""
    has_order_effect: bool = False
    """Whether the strengths of systems account for an effect of the left side."""
    clusters: Clusters = Clusters.RECORDS
    """What intervals are about; those of agreement are always about records."""
    wanted_width: int = USUAL_WIDTH
    """The width of intervals, in per cent, for which the needed records are computed; 0: none."""
    weight_field: str = ""
    """The field with the weight of each record, if any."""
    is_regularised: bool = False
    """Whether each system also has half a win and half a loss, so that all have finite strengths."""
    splits_versions: bool = False
    """Whether questions that versions of the layout ask differently are separate questions."""
    best_worst: BestWorstFields | None = None
    """The questions about the best and the worst item of sets, and the fields that name the items."""
    split_field: str = ""
    """The field by which the window splits shares and numbers; files have them by every field."""
    without_fields: tuple[str, ...] = ()
    """Which settings in `FIELDS` were set to none, so that a field of a preparation is not used."""

    @property
    def gold(self) -> tuple[str, str, tuple[UnitConversion, ...]]:
        """What answers are compared with: the field, the question, and how numbers of both are converted."""
        return self.gold_field, self.gold_question, self.units

    def with_changes(self, **changes: Any) -> "AnalysisSettings":
        """These settings with changes by name; a field that is set to none stays so."""
        none = (name for name in FIELDS if not changes.get(name, name not in self.without_fields))
        return replace(self, **changes, without_fields=tuple(none))

    def with_fields_of(self, other: "AnalysisSettings") -> "AnalysisSettings":
        """These settings with the fields of others where nothing is chosen."""
        names = (name for name in FIELDS if not getattr(self, name) and name not in self.without_fields)
        return replace(self, **{name: getattr(other, name) for name in names})


def merged(before: AnalysisSettings, after: AnalysisSettings, other: AnalysisSettings) -> AnalysisSettings:
    """Other settings with what differs between two: setting, exclusion, role, final answer each apart."""
    three = before, after, other
    settings = _merged(*map(vars, three))
    settings["exclusions"] = Exclusions(
        _merged(*(one.exclusions.participants for one in three)),
        _merged(*(one.exclusions.answers for one in three)),
        tuple(_merged(*(dict.fromkeys(one.exclusions.rules) for one in three))),
    )
    settings["roles"] = _merged(*(one.roles for one in three))
    by_record = ({(one.question, one.task): one for one in of.final_answers} for of in three)
    settings["final_answers"] = tuple(_merged(*by_record).values())
    settings["without_fields"] = tuple(_merged(*(dict.fromkeys(one.without_fields) for one in three)))
    return AnalysisSettings(**settings)


def _merged(before: Mapping[K, V], after: Mapping[K, V], other: Mapping[K, V]) -> dict[K, V]:
    """Another mapping with the values that differ between two, and without the keys that were removed."""
    changed = {key: value for key, value in after.items() if key not in before or before[key] != value}
    both = {**other, **changed}
    return {key: value for key, value in both.items() if key in after or key not in before}


_SETTINGS = TypeAdapter(AnalysisSettings)


def to_stored(settings: AnalysisSettings) -> str:
    """Settings as JSON."""
    return _SETTINGS.dump_json(settings).decode()


def from_stored(content: str) -> AnalysisSettings:
    """Settings from JSON; the default ones if it is empty or cannot be used."""
    try:
        return _SETTINGS.validate_json(content) if content else AnalysisSettings()
    except ValidationError:
        return AnalysisSettings()
