"""Layouts of batches (`batch_items`): the model, edits, history, files, participant pages, and the rules."""
