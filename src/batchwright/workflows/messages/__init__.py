"""Messages for the user: what happened and what to do next, for every exception. They are defined only here.

Each module registers its texts when it is imported: one each for errors of the API, of this
computer, and of workflows.
"""

from batchwright.workflows.messages import api_errors, local_errors, workflow_errors
from batchwright.workflows.messages.message import Message, describe

__all__ = ["Message", "api_errors", "describe", "local_errors", "workflow_errors"]
