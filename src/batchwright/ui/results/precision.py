"""Titles of the charts that show how precise results are now, and with more answers."""

from batchwright.analysis.sample_size import PrecisionKind, PrecisionRow
from batchwright.base.i18n import _


def precision_title(row: PrecisionRow) -> str:
    """The title of a chart of the width of an interval."""
    match row.kind:
        case PrecisionKind.SHARE:
            title = _("Width of the interval of “{name}”, now and with more answers")
        case PrecisionKind.AGREEMENT:
            title = _("Width of the interval of Krippendorff's alpha, now and with more answers")
        case PrecisionKind.WIN_RATE:
            title = _("Width of the interval of the win rate of “{name}”, now and with more answers")
        case PrecisionKind.MEAN if row.unit:
            title = _("Width of the interval of the mean in {unit}, now and with more answers")
        case _other:
            title = _("Width of the interval of the mean, now and with more answers")
    return title.format(name=row.about, unit=row.unit)
