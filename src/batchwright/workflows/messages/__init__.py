"""What happened and what to do next, in words, for everything that can go wrong: the one place for it.

Each module here gives `describe` the words for one kind of trouble, and is imported for that.
"""

from batchwright.workflows.messages import api_errors, file_errors, local_errors, workflow_errors
from batchwright.workflows.messages.message import Message, describe

__all__ = ["Message", "api_errors", "describe", "file_errors", "local_errors", "workflow_errors"]
