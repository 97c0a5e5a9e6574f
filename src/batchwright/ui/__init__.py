"""The user interface: the only package that imports Qt.

`core` has what all stages share: application-wide services, operations, actions and settings. `theme` defines
colours, fonts and sizes, `icons` draws the glyphs, and `widgets` has the widgets that the stages are built
from. `shell` is the window around the stages, `study` the open study, `connections` the accounts at services,
and `support` the dialogs about the program itself. Each stage is a package with a state (no widgets),
commands, a table of actions, and the widgets that show it. `application` opens the windows and runs the event
loop; `window_controller` connects the parts of one window. `overrides` keeps errors from Qt.
"""

from batchwright.ui.overrides import report_errors_of_overrides

report_errors_of_overrides()
