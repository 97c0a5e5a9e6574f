"""The layout of a batch (`batch_items`): model, edits, history, rules, files; pure values and functions.

Sentences are translated as they are made. Words that stand in classes and tables, such as labels of
edits and titles of rules and attributes, are English, and whoever shows one translates it:
`_(edit.label)`.
"""
