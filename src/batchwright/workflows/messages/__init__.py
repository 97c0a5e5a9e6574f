"""What happened and what to do next, in words, for everything that can go wrong: the one place for it.

Each module here gives `describe` the words for one kind of trouble, and is imported for that.
"""

from batchwright.workflows.messages import computer, files, services, work
from batchwright.workflows.messages.message import Message, describe

__all__ = ["Message", "computer", "describe", "files", "services", "work"]
