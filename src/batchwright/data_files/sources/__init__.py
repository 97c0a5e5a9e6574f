"""Tables in files that the service does not take, such as spreadsheets: read, never changed.

A source is such a file together with the options for reading it. Each type of source is one module with a
function `open_table`; `registry` has them by the type of the file. Their libraries are imported with them.
"""
