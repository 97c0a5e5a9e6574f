"""What pytest loads under Wine, in each of its processes.

Wine 8 has no `CopyFile2`, by which `shutil.copy` copies in tests; the program does not use it.
"""

import _winapi

vars(_winapi).pop("CopyFile2")
