"""The Results stage: shows, counts and downloads the answers.

`shown_source` says of what: the study, another batch or collection, or a file. Its answers are fetched
(`remote_answers`) or read (`open_answers`) into the store of `loaded_answers`, which `answer_list` queries
for the grid; `records` finds the records of their tasks. `state` connects these. `analysis_state` computes
the statistics of the other sections, whose pages are `*_page`. `stage` arranges everything.
"""
