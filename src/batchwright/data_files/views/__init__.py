"""Views of the records of a file: which ones are shown and in which order, search hits, counts and marks.

`record_query` has the values; `record_store` answers queries with a column store, in a child process
(`answering`) that the window starts when something is asked for the first time.
"""
