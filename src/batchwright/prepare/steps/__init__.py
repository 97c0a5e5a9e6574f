"""The steps of a preparation: each has its options, and makes a table of another one."""
