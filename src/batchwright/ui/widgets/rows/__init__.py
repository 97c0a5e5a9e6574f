"""Lists of rows: the values that are painted and read out, their geometry, and the list that shows them."""
