"""The actions of the View and Help menus of every window."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from batchwright.base.i18n import N_, _
from batchwright.ui.core.action_ids import ActionId
from batchwright.ui.core.actions import Action, Menu
from batchwright.ui.core.settings import Settings
from batchwright.ui.shell.stages import Stage
from batchwright.ui.shell.state import ShellState
from batchwright.ui.theme import TEXT_SIZES, ColorSchemePreference, Theme

_APPEARANCE_GROUP, _STAGE_GROUP, _WINDOW_GROUP = 80, 10, 95


@dataclass(frozen=True)
class AppearanceSettings:
    """The theme together with the settings that store it."""

    theme: Theme
    settings: Settings

    def set_color_scheme(self, scheme: ColorSchemePreference) -> None:
        """Apply and store a colour scheme."""
        self.settings.color_scheme = scheme
        self.theme.set_color_scheme(scheme)

    def change_text_size(self, steps: int) -> None:
        """Change and store the text size by steps; 0 resets it to 100 %."""
        at = TEXT_SIZES.index(self.theme.text_size) + steps if steps else 0
        self.set_text_size(TEXT_SIZES[max(0, min(at, len(TEXT_SIZES) - 1))])

    def set_text_size(self, per_cent: int) -> None:
        """Change and store the text size; one of `TEXT_SIZES`."""
        self.settings.text_size = per_cent
        self.theme.set_text_size(per_cent)

    def toggle_animations(self) -> None:
        """Toggle animations; stored only if it differs from the system setting."""
        enabled = not self.theme.animations_enabled
        self.settings.animations_enabled = (
            None if enabled == self.theme.system_animations_enabled else enabled
        )
        self.theme.set_animations_enabled(self.settings.animations_enabled)


class WindowLike(Protocol):
    """The methods of a window that actions use."""

    def open_command_palette(self) -> None:
        """Show the command palette."""

    def focus_next_region(self, *, forward: bool) -> None:
        """Focus the next region."""

    def open_menu_bar(self) -> None:
        """Open the first menu of the menu bar."""

    def close(self) -> bool:
        """Close the window, after asking."""


APPEARANCE: tuple[Action[AppearanceSettings], ...] = (
    *(
        Action[AppearanceSettings](
            f"color_scheme_{scheme.value}",
            text,
            "",
            lambda subject, scheme=scheme: subject.set_color_scheme(scheme),  # type: ignore[misc]
            Menu.VIEW,
            glyph=glyph,
            group=_APPEARANCE_GROUP,
            checked=lambda subject, scheme=scheme: subject.theme.color_scheme is scheme,  # type: ignore[misc]
        )
        for scheme, text, glyph in (
            (ColorSchemePreference.SYSTEM, N_("System theme"), "circle-half"),
            (ColorSchemePreference.LIGHT, N_("Light theme"), "sun"),
            (ColorSchemePreference.DARK, N_("Dark theme"), "moon"),
        )
    ),
    Action[AppearanceSettings](
        ActionId.TEXT_LARGER,
        N_("Larger text"),
        "Ctrl++",
        lambda subject: subject.change_text_size(1),
        Menu.VIEW,
        enabled=lambda subject: subject.theme.text_size < TEXT_SIZES[-1],
        disabled_reason=N_("The text is at its largest size"),
        glyph="text-aa",
        group=_APPEARANCE_GROUP + 1,
    ),
    Action[AppearanceSettings](
        ActionId.TEXT_SMALLER,
        N_("Smaller text"),
        "Ctrl+-",
        lambda subject: subject.change_text_size(-1),
        Menu.VIEW,
        enabled=lambda subject: subject.theme.text_size > TEXT_SIZES[0],
        disabled_reason=N_("The text is at its smallest size"),
        glyph="text-aa",
        group=_APPEARANCE_GROUP + 1,
    ),
    Action[AppearanceSettings](
        ActionId.TEXT_USUAL,
        N_("Default text size"),
        "Ctrl+0",
        lambda subject: subject.change_text_size(0),
        Menu.VIEW,
        glyph="text-aa",
        group=_APPEARANCE_GROUP + 1,
    ),
    Action[AppearanceSettings](
        ActionId.REDUCE_MOTION,
        N_("Reduce motion"),
        "",
        AppearanceSettings.toggle_animations,
        Menu.VIEW,
        group=_APPEARANCE_GROUP + 2,
        checked=lambda subject: not subject.theme.animations_enabled,
    ),
)

WINDOW: tuple[Action[WindowLike], ...] = (
    Action[WindowLike](
        ActionId.FIND,
        N_("Find anything"),
        "Ctrl+K",
        lambda window: window.open_command_palette(),
        Menu.HELP,
        glyph="magnifying-glass",
    ),
    Action[WindowLike](
        ActionId.NEXT_REGION,
        N_("Next pane"),
        "F6",
        lambda window: window.focus_next_region(forward=True),
        Menu.VIEW,
        group=_WINDOW_GROUP,
    ),
    Action[WindowLike](
        ActionId.PREVIOUS_REGION,
        N_("Previous pane"),
        "Shift+F6",
        lambda window: window.focus_next_region(forward=False),
        Menu.VIEW,
        group=_WINDOW_GROUP,
    ),
    Action[WindowLike](
        ActionId.MENU_BAR,
        N_("Menu bar"),
        "F10",
        lambda window: window.open_menu_bar(),
        Menu.HELP,
    ),
    Action[WindowLike](
        ActionId.CLOSE_WINDOW,
        N_("Close window"),
        "Ctrl+W",
        lambda window: window.close(),
        Menu.FILE,
        glyph="x",
        group=99,
    ),
)


def stage_actions(stages: Sequence[Stage]) -> tuple[Action[ShellState], ...]:
    """An action for each stage; the shortcuts start at Ctrl+1."""
    return tuple(
        Action[ShellState](
            f"go_{stage.id}",
            lambda _model, stage=stage: _("Go to {stage}").format(stage=stage.title),  # type: ignore[misc]
            f"Ctrl+{number}" if number < 10 else "",
            lambda model, stage=stage: model.enter_stage(stage.id),  # type: ignore[misc]
            Menu.VIEW,
            enabled=lambda model, stage=stage: not stage.disabled_reason(model.document),  # type: ignore[misc]
            disabled_reason=N_("Open or create a batch first")
            if stage.needs_data
            else N_("Open or create a study first"),
            glyph=stage.glyph,
            group=_STAGE_GROUP,
        )
        for number, stage in enumerate(stages, start=1)
    )
