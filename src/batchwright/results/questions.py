"""The questions of a batch, as its own copy of the layout asks them (wire reference, 5.1)."""

from collections.abc import Mapping
from dataclasses import dataclass

from batchwright.base.json_values import Json, is_array
from batchwright.layout.ids import id_of
from batchwright.layout.item_types.registry import Choice, Instruction
from batchwright.layout.option_values import as_text
from batchwright.layout.serialization import read, sequential_keys


@dataclass(frozen=True)
class AnsweredQuestion:
    """One instruction of a batch; `id` is what answers name it by."""

    id: str
    item: Instruction

    @property
    def title(self) -> str:
        """What is asked."""
        return self.item.description

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the options; none where there is nothing to choose."""
        if not isinstance(self.item, Choice):
            return ()
        return tuple(as_text(option.get("label", option.get("value"))) for option in self.item.options)

    @property
    def has_options(self) -> bool:
        """Whether its answers can be counted by option."""
        return bool(self.labels)


def questions_of(batch_items: Json) -> Mapping[str, AnsweredQuestion]:
    """Every question of a batch by its id, in reading order; none for a legacy batch."""
    if not is_array(batch_items):
        return {}
    asked = (item for _place, item in read(batch_items, sequential_keys()).instructions())
    return {id: AnsweredQuestion(id, item) for item in asked if (id := id_of(item)) is not None}
