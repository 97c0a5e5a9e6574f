"""What is asked about each step of a preparation: one description per step, from which its form is made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from batchwright.base.i18n import N_
from batchwright.base.json_values import Json, JsonObject
from batchwright.data_files.conversion.column_edits import ValueType


class FieldKind(Enum):
    """What an option of a step is, and with which control it is entered."""

    COLUMN = auto()
    """A column of the table before the step."""
    COLUMNS = auto()
    TEXT = auto()
    TEXTS = auto()
    """Several texts, one on each line."""
    NUMBER = auto()
    CHOICE = auto()
    CHOICES = auto()
    """Some of the choices."""
    SWITCH = auto()
    TABLE = auto()
    """A text for each of some texts."""
    COLUMN_TEXTS = auto()
    """A text for each of some columns."""
    COUNTS = auto()
    """A number for each of some texts."""
    SEED = auto()


class StepGroup(Enum):
    """What a step is for: the part of the menu that it is in."""

    COMPARE = N_("Compare outputs")
    SELECT = N_("Choose rows")
    ARRANGE = N_("Groups and known answers")
    CHANGE = N_("Change columns")


@dataclass(frozen=True)
class StepField:
    """An option of a step: its name in JSON, its texts in English, and its default.

    An option without a default is required. `guesses` are parts of the names of columns that fit it. With
    `only_if`, it is asked only while another option has one of some values; of no values, while it has any.
    """

    name: str
    title: str
    kind: FieldKind
    default: Json = None
    hint: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    least: int = 1
    guesses: tuple[str, ...] = ()
    only_if: tuple[str, tuple[str, ...]] | None = None


@dataclass(frozen=True)
class StepForm:
    """A step: its label, what it is for in one sentence, and its options, all in English."""

    label: str
    purpose: str
    group: StepGroup
    fields: tuple[StepField, ...]


_SEED = StepField(
    "seed",
    N_("Seed"),
    FieldKind.SEED,
    1,
    N_("The same seed draws the same rows again. It is published with the study."),
)
_PROMPT = ("prompt", "question", "input", "instruction", "query", "source")
_SYSTEM = ("system", "model", "condition")
_OUTPUT = ("output", "response", "answer", "completion", "text", "translation")
_TOPIC = ("topic", "category", "domain", "stratum")


def _column(name: str, title: str = N_("Column"), *guesses: str) -> StepField:
    return StepField(name, title, FieldKind.COLUMN, guesses=guesses)


def _any_column(name: str, title: str, hint: str = "", default: str = "") -> StepField:
    return StepField(name, title, FieldKind.COLUMN, default, hint)


STEP_FORMS: Mapping[str, StepForm] = {
    "pairs": StepForm(
        N_("Pairs"),
        N_("Two outputs for the same prompt in each record, from a table with one output in each row."),
        StepGroup.COMPARE,
        (
            _column("prompt", N_("Column by which outputs belong together"), *_PROMPT),
            _column("system", N_("Column with the system"), *_SYSTEM),
            StepField("outputs", N_("Columns with outputs"), FieldKind.COLUMNS, guesses=_OUTPUT),
            StepField(
                "choice",
                N_("Which pairs"),
                FieldKind.CHOICE,
                "all",
                choices=(
                    ("all", N_("All pairs of systems for each prompt")),
                    ("per_prompt", N_("Some pairs of each prompt, balanced")),
                    ("budget", N_("A number of pairs in all, balanced")),
                    ("reference", N_("Each system with a reference")),
                ),
            ),
            StepField(
                "amount",
                N_("Number of pairs"),
                FieldKind.NUMBER,
                1,
                N_("Each system is compared equally often, and each pair as equally as possible."),
                only_if=("choice", ("per_prompt", "budget")),
            ),
            StepField(
                "reference",
                N_("System that all others are compared with"),
                FieldKind.TEXT,
                "",
                only_if=("choice", ("reference",)),
            ),
            _any_column(
                "block",
                N_("Column with blocks"),
                N_("All systems are connected by comparisons in every block."),
            ),
            _SEED,
        ),
    ),
    "sides": StepForm(
        N_("Sides"),
        N_("Draws which output stands on the left, balanced for each pair and each system."),
        StepGroup.COMPARE,
        (
            _any_column("left", N_("Column with the system on the left"), "", "META_SYSTEM_LEFT"),
            _any_column("right", N_("Column with the system on the right"), "", "META_SYSTEM_RIGHT"),
            _any_column(
                "known",
                N_("Column with known answers"),
                N_("Rows with one keep their sides, since the answer may name one."),
                "META_GOLD_ANSWER",
            ),
            _SEED,
        ),
    ),
    "sets": StepForm(
        N_("Best–worst sets"),
        N_("Three to five items in each record, of which participants choose the best and the worst."),
        StepGroup.COMPARE,
        (
            _column("item", N_("Column that identifies an item"), "item", "id", *_OUTPUT),
            StepField("shown", N_("Columns that participants see"), FieldKind.COLUMNS, guesses=_OUTPUT),
            StepField("size", N_("Items in a set"), FieldKind.NUMBER, 4, N_("3 to 5."), least=3),
            StepField("repeats", N_("Sets that each item is in"), FieldKind.NUMBER, 4),
            _SEED,
        ),
    ),
    "rows": StepForm(
        N_("A row for each output"),
        N_("Makes a row of each output, from a table with the outputs of all systems in each row."),
        StepGroup.COMPARE,
        (
            StepField("outputs", N_("Columns with outputs, named after systems"), FieldKind.COLUMNS),
            StepField("system", N_("New column with the system"), FieldKind.TEXT, "system"),
            StepField("output", N_("New column with the output"), FieldKind.TEXT, "output"),
        ),
    ),
    "sample": StepForm(
        N_("Sample"),
        N_("Draws rows at random, also by strata and without duplicates."),
        StepGroup.SELECT,
        (
            StepField("size", N_("Number of rows"), FieldKind.NUMBER),
            _any_column("stratum", N_("Column with strata"), N_("Rows are drawn from each stratum.")),
            StepField(
                "sizes",
                N_("Rows of each stratum"),
                FieldKind.CHOICE,
                "proportional",
                choices=(
                    ("proportional", N_("In proportion to the table")),
                    ("equal", N_("Equally many")),
                    ("given", N_("As given below")),
                ),
                only_if=("stratum", ()),
            ),
            StepField(
                "given",
                N_("Number of rows by stratum"),
                FieldKind.COUNTS,
                [],
                only_if=("sizes", ("given",)),
            ),
            StepField(
                "distinct",
                N_("Columns that identify duplicates"),
                FieldKind.COLUMNS,
                [],
                N_("Of rows with the same values in these columns, only the first is used."),
            ),
            _SEED,
        ),
    ),
    "pilot": StepForm(
        N_("Pilot"),
        N_("Draws the rows of a pilot, which the main study does not use again."),
        StepGroup.SELECT,
        (
            StepField("size", N_("Number of rows, or of values that stay together"), FieldKind.NUMBER),
            StepField(
                "use",
                N_("Rows that stay"),
                FieldKind.CHOICE,
                "marked",
                choices=(
                    ("marked", N_("All, with a column that says which is which")),
                    ("pilot", N_("Those of the pilot")),
                    ("main", N_("Those of the main study")),
                ),
            ),
            _any_column("together", N_("Column whose values stay together")),
            _SEED,
        ),
    ),
    "filter": StepForm(
        N_("Filter"),
        N_("Keeps the rows whose text has some length, or is one of some values."),
        StepGroup.SELECT,
        (
            _column("column"),
            StepField("shortest", N_("Fewest characters"), FieldKind.NUMBER, 1, least=0),
            StepField(
                "longest", N_("Most characters"), FieldKind.NUMBER, 0, N_("0 for any number."), least=0
            ),
            StepField(
                "values", N_("Values that stay"), FieldKind.TEXTS, [], N_("One on each line; none for any.")
            ),
            StepField(
                "without", N_("Values that are left out"), FieldKind.TEXTS, [], N_("One on each line.")
            ),
        ),
    ),
    "language": StepForm(
        N_("Language"),
        N_("Names the language of each text, and keeps the rows in some languages."),
        StepGroup.SELECT,
        (
            _column("column", N_("Column"), *_OUTPUT),
            StepField(
                "languages",
                N_("Languages that stay"),
                FieldKind.TEXTS,
                [],
                N_("Codes such as en or de, one on each line; none for all."),
            ),
            StepField("keeps_unknown", N_("Keep texts that are too short to tell"), FieldKind.SWITCH, True),
        ),
    ),
    "groups": StepForm(
        N_("Task groups"),
        N_("Divides the rows among participants, in an order that is drawn for each group."),
        StepGroup.ARRANGE,
        (
            StepField(
                "size",
                N_("Rows in a group"),
                FieldKind.NUMBER,
                10,
                N_("0 for any number of a topic."),
                least=0,
            ),
            _any_column("topic", N_("Column with topics"), N_("Each topic gets groups of its own.")),
            _any_column(
                "apart",
                N_("Column whose values are kept apart"),
                N_("No two rows with the same value are in a group, if there are enough groups."),
            ),
            StepField("shared", N_("Rows that are in every group"), FieldKind.NUMBER, 0, least=0),
            StepField(
                "repeats",
                N_("Rows of each group that come again"),
                FieldKind.NUMBER,
                0,
                N_("They show whether participants agree with themselves."),
                least=0,
            ),
            StepField(
                "order",
                N_("Order"),
                FieldKind.CHOICE,
                "shuffled",
                choices=(
                    ("kept", N_("As in the table")),
                    ("shuffled", N_("Shuffled")),
                    ("blocked", N_("By blocks")),
                ),
            ),
            StepField(
                "block",
                N_("Column with blocks"),
                FieldKind.COLUMN,
                "",
                only_if=("order", ("blocked",)),
            ),
            _any_column("known", N_("Column with known answers"), "", "META_GOLD_ANSWER"),
            _SEED,
        ),
    ),
    "checks": StepForm(
        N_("Attention checks"),
        N_("Adds a record for each of some answers, whose text asks for that answer."),
        StepGroup.ARRANGE,
        (
            StepField("answers", N_("Answers"), FieldKind.TEXTS, hint=N_("One on each line.")),
            StepField(
                "texts",
                N_("Texts of the columns"),
                FieldKind.COLUMN_TEXTS,
                {},
                N_("{answer} in a text stands for the answer."),
            ),
        ),
    ),
    "known": StepForm(
        N_("Known answers"),
        N_("Mixes the records with known answers into the task groups, spread over their places."),
        StepGroup.ARRANGE,
        (
            StepField("per_group", N_("Known answers in each group"), FieldKind.NUMBER, 1),
            _any_column("answer", N_("Column with known answers"), "", "META_GOLD_ANSWER"),
            _SEED,
        ),
    ),
    "replace": StepForm(
        N_("Replaced values"),
        N_("Replaces the values of a column; those that are not listed stay."),
        StepGroup.CHANGE,
        (
            _column("column"),
            StepField(
                "values",
                N_("Values"),
                FieldKind.TABLE,
                hint=N_("An empty new value removes the old one."),
            ),
        ),
    ),
    "cut": StepForm(
        N_("Cut texts"),
        N_("Cuts texts that are too long, at the end of a word where there is one."),
        StepGroup.CHANGE,
        (
            _column("column", N_("Column"), *_OUTPUT),
            StepField("longest", N_("Most characters"), FieldKind.NUMBER),
            StepField("ending", N_("Text behind what was cut"), FieldKind.TEXT, "…"),
        ),
    ),
    "personal": StepForm(
        N_("Personal data"),
        N_("Replaces what looks like an e-mail address or a telephone number. Names stay."),
        StepGroup.CHANGE,
        (
            StepField("columns", N_("Columns"), FieldKind.COLUMNS, guesses=_OUTPUT),
            StepField(
                "kinds",
                N_("What is replaced"),
                FieldKind.CHOICES,
                ["email", "phone"],
                choices=(("email", N_("E-mail addresses")), ("phone", N_("Telephone numbers"))),
            ),
        ),
    ),
    "rename": StepForm(
        N_("Rename column"),
        N_("Gives a column another name."),
        StepGroup.CHANGE,
        (_column("column"), StepField("name", N_("New name"), FieldKind.TEXT)),
    ),
    "leave_out": StepForm(
        N_("Leave out column"),
        N_("Leaves out a column."),
        StepGroup.CHANGE,
        (_column("column"),),
    ),
    "read": StepForm(
        N_("Change type of values"),
        N_("Reads the values of a column as numbers, texts, true and false, or addresses."),
        StepGroup.CHANGE,
        (
            _column("column"),
            StepField(
                "type",
                N_("Type of the values"),
                FieldKind.CHOICE,
                choices=(
                    (ValueType.NUMBER.value, N_("Numbers")),
                    (ValueType.TEXT.value, N_("Text")),
                    (ValueType.TRUTH.value, N_("True and false")),
                    (ValueType.ADDRESS.value, N_("Addresses")),
                ),
            ),
        ),
    ),
    "split": StepForm(
        N_("Split column"),
        N_("Makes columns of the parts of a text."),
        StepGroup.CHANGE,
        (
            _column("column"),
            StepField("separator", N_("Split at"), FieldKind.TEXT),
            StepField(
                "names",
                N_("Names of the new columns"),
                FieldKind.TEXTS,
                hint=N_("One on each line. The last column has all that is left."),
            ),
        ),
    ),
    "join": StepForm(
        N_("Join columns"),
        N_("Makes one column of the values of several."),
        StepGroup.CHANGE,
        (
            StepField("joined", N_("Columns, in the order of the table"), FieldKind.COLUMNS),
            StepField("separator", N_("Text between the values"), FieldKind.TEXT),
            StepField("name", N_("Name of the new column"), FieldKind.TEXT),
        ),
    ),
    "fill": StepForm(
        N_("Fill column"),
        N_("Fills a column with a text in which names of columns in braces stand for their values."),
        StepGroup.CHANGE,
        (
            StepField("column", N_("Name of the column"), FieldKind.TEXT),
            StepField(
                "template",
                N_("Text"),
                FieldKind.TEXT,
                hint=N_("Names of columns in braces stand for their values: {prompt} - {model}"),
            ),
        ),
    ),
}
"""The forms of all steps by their names in JSON, in the order of the menu."""


@dataclass(frozen=True)
class Design:
    """Steps that make a whole design together: the first one is asked for, the others follow from it."""

    label: str
    purpose: str
    step: str
    following: Callable[[JsonObject], tuple[JsonObject, ...]]


DESIGNS: Sequence[Design] = (
    Design(
        N_("Compare systems"),
        N_("Pairs, sides that are balanced, and task groups without the same prompt twice."),
        "pairs",
        lambda pairs: ({"step": "sides"}, {"step": "groups", "apart": pairs["prompt"]}),
    ),
    Design(
        N_("Rate a sample"),
        N_("A random sample, divided among task groups."),
        "sample",
        lambda _sample: ({"step": "groups"},),
    ),
    Design(
        N_("Best–worst scaling"),
        N_("Sets of items that hardly share a pair, divided among task groups."),
        "sets",
        lambda _sets: ({"step": "groups"},),
    ),
)


def is_asked(field: StepField, values: Mapping[str, Json]) -> bool:
    """Whether an option is asked, given the values of all."""
    if field.only_if is None:
        return True
    other, accepted = field.only_if
    return values[other] in accepted if accepted else bool(values[other])


def guess(field: StepField, columns: Sequence[str]) -> Json:
    """The column, or the list of columns, that an option without a default probably means."""
    for part in field.guesses:
        for column in columns:
            if part in column.casefold():
                return [column] if field.kind is FieldKind.COLUMNS else column
    return [] if field.kind is FieldKind.COLUMNS else (columns[0] if columns else "")
