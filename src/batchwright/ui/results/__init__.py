"""The Results stage: shows, counts and downloads the answers.

`shown_source` says of what: the study, another batch or collection, or a file. `shown_answers` fetches its
answers, or shows them while `answers_from_file` reads them, in one store. `answer_grid` queries that store
and knows which answer is selected and which are new; `answers_panel` shows it. `records` finds the records
of the answered tasks. `state` connects these. `analysis_state` computes the statistics of the other sections,
whose pages are `*_page`. `stage` arranges everything.
"""
