"""Statistics of answers and the files written from them. Pure values and functions, no window.

Imported only where answers are analysed: numpy takes 0.1 s to import.
"""
