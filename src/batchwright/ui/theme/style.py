"""The style of the program, based on Fusion.

The tables below map style elements to painting functions; Fusion paints all others with the palette of the
theme. Style sheets are not used: they would take a third of the time in which a window opens.
"""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QMenu,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QStyleOptionComplex,
    QWidget,
)
from typing_extensions import override

from batchwright.ui.theme import buttons, check_controls, fields, focus, item_views, menus, tips
from batchwright.ui.theme.theme import Theme

Painting = Callable[[Theme, Any, QPainter, QWidget | None], None]
P, C, CC, CT = (
    QStyle.PrimitiveElement,
    QStyle.ControlElement,
    QStyle.ComplexControl,
    QStyle.ContentsType,
)
M, H, SE = QStyle.PixelMetric, QStyle.StyleHint, QStyle.SubElement


def _nothing(theme: Theme, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """Paints nothing: another element covers it."""


PRIMITIVES: dict[QStyle.PrimitiveElement, Painting] = {
    P.PE_PanelLineEdit: fields.paint_line_edit,
    P.PE_FrameLineEdit: _nothing,
    P.PE_Frame: fields.paint_frame,
    P.PE_IndicatorCheckBox: check_controls.paint_box,
    P.PE_IndicatorItemViewItemCheck: check_controls.paint_box,
    P.PE_IndicatorRadioButton: check_controls.paint_ring,
    P.PE_PanelMenu: menus.paint_menu,
    P.PE_FrameMenu: _nothing,
    P.PE_PanelItemViewItem: item_views.paint_row,
    P.PE_PanelItemViewRow: _nothing,
    P.PE_FrameFocusRect: item_views.paint_focus,
    P.PE_PanelTipLabel: tips.paint_tooltip,
    P.PE_FrameStatusBarItem: _nothing,
    P.PE_FrameTabWidget: item_views.paint_tab_pane,
    P.PE_FrameTabBarBase: _nothing,
    P.PE_IndicatorBranch: item_views.paint_branch,
    P.PE_IndicatorHeaderArrow: _nothing,
}
CONTROLS: dict[QStyle.ControlElement, Painting] = {
    C.CE_PushButton: buttons.paint_push_button,
    C.CE_ComboBoxLabel: fields.paint_combo_label,
    C.CE_MenuItem: menus.paint_item,
    C.CE_MenuBarItem: menus.paint_bar_item,
    C.CE_MenuBarEmptyArea: menus.paint_bar,
    C.CE_HeaderSection: item_views.paint_head,
    C.CE_HeaderEmptyArea: item_views.paint_head,
    C.CE_HeaderLabel: item_views.paint_head_label,
    C.CE_TabBarTab: item_views.paint_tab,
    C.CE_Splitter: _nothing,
    C.CE_FocusFrame: focus.paint_focus_ring,
}
COMPLEX: dict[QStyle.ComplexControl, Painting] = {
    CC.CC_ComboBox: fields.paint_combo,
    CC.CC_SpinBox: fields.paint_spin_box,
    CC.CC_ScrollBar: item_views.paint_scroll_bar,
}
METRICS: dict[QStyle.PixelMetric, int] = {
    M.PM_DefaultFrameWidth: 3,
    M.PM_ScrollBarExtent: item_views.EXTENT,
    M.PM_IndicatorWidth: 16,
    M.PM_IndicatorHeight: 16,
    M.PM_ExclusiveIndicatorWidth: 16,
    M.PM_ExclusiveIndicatorHeight: 16,
    M.PM_CheckBoxLabelSpacing: 9,
    M.PM_RadioButtonLabelSpacing: 9,
    M.PM_ButtonIconSize: 18,
    M.PM_SmallIconSize: 18,
    M.PM_MenuBarPanelWidth: 0,
    M.PM_MenuBarHMargin: 3,
    M.PM_MenuBarVMargin: 0,
    M.PM_MenuBarItemSpacing: 0,
    M.PM_MenuPanelWidth: 1,
    M.PM_MenuHMargin: 0,
    M.PM_MenuVMargin: 5,
    M.PM_ToolTipLabelFrameWidth: 8,
    M.PM_FocusFrameHMargin: focus.MARGIN,
    M.PM_FocusFrameVMargin: focus.MARGIN,
    M.PM_ScrollView_ScrollBarSpacing: 0,
    M.PM_HeaderMargin: 0,
    M.PM_TextCursorWidth: 1,
}
HINTS: dict[QStyle.StyleHint, int] = {
    H.SH_ToolTip_WakeUpDelay: 600,
    H.SH_ToolTipLabel_Opacity: 255,
    H.SH_ComboBox_Popup: 0,
    H.SH_EtchDisabledText: 0,
    H.SH_DitherDisabledText: 0,
    H.SH_UnderlineShortcut: 0,
    H.SH_MenuBar_AltKeyNavigation: 1,
    H.SH_FocusFrame_AboveWidget: 1,
    H.SH_ScrollBar_Transient: 0,
    H.SH_ItemView_ShowDecorationSelected: 1,
    H.SH_RequestSoftwareInputPanel: 0,
}
_FIELD_HEIGHT = 32
_ENTRY_HEIGHT = 30
_PUSH_SIZES = {CT.CT_MenuItem: menus.item_size, CT.CT_MenuBarItem: menus.bar_item_size}


class Style(QProxyStyle):
    """Fusion with the painting functions of the theme."""

    def __init__(self, theme: Theme) -> None:
        super().__init__("Fusion")
        self._theme = theme

    @override
    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        /,
        widget: QWidget | None = None,
    ) -> None:
        paint = PRIMITIVES.get(element)
        if paint is None:
            super().drawPrimitive(element, option, painter, widget)
        else:
            paint(self._theme, option, painter, widget)

    @override
    def drawControl(
        self,
        element: QStyle.ControlElement,
        option: QStyleOption,
        painter: QPainter,
        /,
        widget: QWidget | None = None,
    ) -> None:
        paint = CONTROLS.get(element)
        if paint is None:
            super().drawControl(element, option, painter, widget)
        else:
            paint(self._theme, option, painter, widget)

    @override
    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        /,
        widget: QWidget | None = None,
    ) -> None:
        paint = COMPLEX.get(control)
        if paint is None:
            super().drawComplexControl(control, option, painter, widget)
        else:
            paint(self._theme, option, painter, widget)

    @override
    def pixelMetric(
        self,
        metric: QStyle.PixelMetric,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> int:
        size = METRICS.get(metric)
        return super().pixelMetric(metric, option, widget) if size is None else self._theme.px(size)

    @override
    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,
    ) -> int:
        value = HINTS.get(hint)
        return super().styleHint(hint, option, widget, returnData) if value is None else value

    @override
    def sizeFromContents(
        self, type: QStyle.ContentsType, option: Any, size: QSize, widget: QWidget | None = None, /
    ) -> QSize:
        theme = self._theme
        if type is CT.CT_PushButton:
            return buttons.push_button_size(theme, option, widget)
        if type in _PUSH_SIZES:
            return _PUSH_SIZES[type](theme, option)
        if type is CT.CT_HeaderSection:
            return item_views.head_size(theme, option, widget)
        default_size = super().sizeFromContents(type, option, size, widget)  # type: ignore[arg-type]  # may be none
        if type is CT.CT_ItemViewItem:
            default_size.setHeight(max(default_size.height(), theme.px(_ENTRY_HEIGHT)))
        if type in {CT.CT_LineEdit, CT.CT_SpinBox, CT.CT_ComboBox}:
            default_size.setHeight(theme.px(_FIELD_HEIGHT))
        if type is CT.CT_ComboBox:
            default_size.setWidth(max(default_size.width(), fields.combo_width(theme, size.width())))
        if type is CT.CT_SpinBox:
            default_size.setWidth(max(default_size.width(), fields.spin_box_width(theme, size.width())))
        return default_size

    @override
    def subControlRect(
        self, cc: QStyle.ComplexControl, opt: Any, sc: QStyle.SubControl, /, widget: QWidget | None = None
    ) -> QRect:
        if cc is CC.CC_ScrollBar:
            return item_views.scroll_bar_rect(self._theme, opt, sc)
        if cc is CC.CC_SpinBox:
            return fields.spin_box_rect(self._theme, opt.rect, sc)
        if cc is CC.CC_ComboBox and sc is QStyle.SubControl.SC_ComboBoxEditField:
            return fields.combo_text_rect(self._theme, opt.rect)
        return super().subControlRect(cc, opt, sc, widget)  # type: ignore[arg-type]  # may be none

    @override
    def subElementRect(
        self, element: QStyle.SubElement, option: QStyleOption, /, widget: QWidget | None = None
    ) -> QRect:
        if element is SE.SE_LineEditContents:
            margin = self._theme.px(fields.LINE_EDIT_MARGIN)
            return option.rect.adjusted(margin, 1, -margin, -1)
        return super().subElementRect(element, option, widget)  # type: ignore[arg-type]  # may be none

    @override
    def polish(self, widget: Any, /) -> Any:
        """Prepare rounded menus, plain-text labels and hover effects of combo boxes."""
        polished = super().polish(widget)
        if isinstance(widget, QMenu):
            widget.setWindowFlag(Qt.WindowType.FramelessWindowHint)
            widget.setWindowFlag(Qt.WindowType.NoDropShadowWindowHint)
            if QGuiApplication.platformName() == "xcb":  # without a compositor, what is translucent is black
                menus.MenuCornerMask(widget, self._theme)
            else:
                widget.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        elif isinstance(widget, QLabel):
            tips.set_plain_text_format(widget)
        elif isinstance(widget, QComboBox):
            widget.setAttribute(Qt.WidgetAttribute.WA_Hover)
        return polished


def install(theme: Theme) -> None:
    """Install the style and theme. Call it before the first widget is created."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError("create the application first")
    app.setStyle(Style(theme))
    theme.start()
