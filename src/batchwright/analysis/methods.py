"""The statistical methods in use: name, assumptions, and a reference, for reports and figures."""

from dataclasses import dataclass

from batchwright.base.i18n import N_, _


@dataclass(frozen=True)
class Method:
    """A method; `name` and `assumptions` are translated when shown, `reference` is not."""

    name: str
    assumptions: str
    reference: str

    def sentence(self) -> str:
        """Return name, assumptions and reference as text."""
        return f"{_(self.name)}. {_(self.assumptions)} {self.reference}"


WILSON = Method(
    N_("Share with a Wilson score interval, 95 %"),
    N_("Answers are independent: several by one person or about one record make the interval too narrow."),
    "Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. "
    "Journal of the American Statistical Association, 22, 209–212.",
)
STUDENT = Method(
    N_("Mean with a t interval, 95 %"),
    N_("Answers are independent, and their mean is roughly normally distributed."),
    "Student (1908). The probable error of a mean. Biometrika, 6, 1–25.",
)
QUANTILES = Method(
    N_("Median and quartiles, interpolated linearly between values"),
    N_("Values are on one scale and in one unit."),
    "Hyndman, R. J., & Fan, Y. (1996). Sample quantiles in statistical packages. "
    "The American Statistician, 50, 361–365 (definition 7).",
)
TEXT_LENGTH = Method(
    N_("Length in characters (code points) and words (separated by white space)"),
    N_("Words are separated by white space, which does not hold for every language."),
    "The Unicode Consortium. Unicode Standard Annex 29: Unicode text segmentation.",
)
