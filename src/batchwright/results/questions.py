"""The questions of a batch, from the layout that the service returns with it (wire reference, 5.1)."""

from collections.abc import Mapping
from dataclasses import dataclass

from batchwright.base.json_values import Json, is_array
from batchwright.layout.ids import id_of
from batchwright.layout.item_types.registry import Choice, Instruction
from batchwright.layout.option_values import as_text
from batchwright.layout.serialization import read, sequential_keys


@dataclass(frozen=True)
class AnsweredQuestion:
    """An instruction of a batch; `id` is its id in answers."""

    id: str
    item: Instruction

    @property
    def title(self) -> str:
        """The text of the question."""
        return self.item.description

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the options; empty if there are none."""
        if not isinstance(self.item, Choice):
            return ()
        return tuple(as_text(option.get("label", option.get("value"))) for option in self.item.options)

    @property
    def has_options(self) -> bool:
        """Whether its answers can be counted by option."""
        return bool(self.labels)


def questions_of(batch_items: Json) -> Mapping[str, AnsweredQuestion]:
    """Return the questions of a batch by id, in reading order; empty for a legacy batch."""
    if not is_array(batch_items):
        return {}
    instructions = (item for _path, item in read(batch_items, sequential_keys()).instructions())
    return {id: AnsweredQuestion(id, item) for item in instructions if (id := id_of(item)) is not None}
