"""The command “How many records and answers?”."""

from batchwright.ui.data.context import DataContext
from batchwright.ui.planning.plan_study import plan_study


async def how_many(context: DataContext) -> None:
    """Show the planner."""
    window = context.window
    await plan_study(window.tasks, window.window, context.state.study, context.files)
