"""The notice about a layout that was proposed from the table of a study."""

from batchwright.base.i18n import _
from batchwright.data_files.layout_proposals import LayoutProposal, ProposalKind
from batchwright.ui.data.labels import columns_named
from batchwright.ui.data.layout_proposals import LayoutProposals
from batchwright.ui.shell.stages import StageContext
from batchwright.ui.widgets.notices import Notice, NoticeSeverity

PROPOSED_LAYOUT = "proposed layout"
"""The topic of the notice."""


def show_proposal(context: StageContext, proposals: LayoutProposals) -> None:
    """Show what was proposed, with what may tell participants the source of a text, and the ways out."""
    proposal = proposals.used
    if proposal is None:
        return

    def use_next() -> None:
        proposals.use_next()
        show_proposal(context, proposals)

    context.notices.show_notice(
        Notice(
            NoticeSeverity.WARNING if proposal.risks else NoticeSeverity.INFO,
            _("A layout was proposed from your table"),
            " ".join((_summary(proposal), *proposal.risks)),
            _("Undo"),
            proposals.undo,
            _("Another") if proposals.has_others else "",
            use_next if proposals.has_others else None,
            topic=PROPOSED_LAYOUT,
            stays=True,
        )
    )


def _summary(proposal: LayoutProposal) -> str:
    match proposal.kind:
        case ProposalKind.COMPARISON:
            labels = [proposal.schema.fields[name].label or name for name in proposal.subjects]
            text = _("Participants compare {names}, and say which one is better.")
            return text.format(names=columns_named(labels))
        case ProposalKind.BEST_WORST:
            return _("Participants choose the best and the worst item of each set.")
        case ProposalKind.RATING:
            text = _("Participants rate {name} on five points.")
            return text.format(name=columns_named(proposal.subjects))
    return _("Participants see all fields, and answer one question about them.")
