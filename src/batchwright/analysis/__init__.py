"""Statistics of answers and the files written from them. Pure values and functions, no window.

Imported only where answers are analysed: numpy takes 0.1 s to import.
"""

import os

for _name in ("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ.setdefault(_name, "1")
"""Numpy multiplies matrices in one thread: several only wait for each other here, because the matrices are
small, and the digits of sums would depend on the number of cores."""
