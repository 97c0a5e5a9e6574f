"""The tests of Batchwright, whose windows are in English on every computer.

The language is set here because the program reads it when its first module is imported.
"""

import os

os.environ["BATCHWRIGHT_LANGUAGE"] = "en"
os.environ["LANGUAGE"] = "en"  # of messages of the system, such as "No such file or directory"
