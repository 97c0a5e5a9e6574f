"""Layouts of batches (`batch_items`): the model, edits, history, files, participant pages, and the rules.

The item types are loaded first. Their modules hold rules, which need the model, edits and serialization;
these in turn need only `item_types.base`, and find the types in its registry.
"""

import batchwright.layout.item_types  # noqa: F401
