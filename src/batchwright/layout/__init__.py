"""The layout of a batch (`batch_items`): model, edits, history, rules, files; pure values and functions."""
