; The installer for Windows: for the current user, without administrator rights. Compile with
;   makensis -DVERSION=0.1.0 -DPROGRAM=folder -DICONS=folder -DOUT=setup.exe batchwright.nsi
; Silent: setup.exe /S [/D=C:\folder] and uninstall.exe /S. Studies and settings are never touched.

Unicode true
RequestExecutionLevel user
SetCompressor /SOLID lzma
ManifestDPIAware true

!include "MUI2.nsh"
!include "x64.nsh"
!include "FileFunc.nsh"

!define NAME "Batchwright"
!define PUBLISHER "The Batchwright authors"
!define STUDY "Batchwright.Study"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Batchwright"

Name "${NAME}"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "Software\${NAME}" "Folder"
BrandingText "${NAME} ${VERSION}"

VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "${NAME} installer"
VIAddVersionKey "CompanyName" "${PUBLISHER}"
VIAddVersionKey "LegalCopyright" "${PUBLISHER}, MIT licence"

!define MUI_ICON "${ICONS}/batchwright.ico"
!define MUI_UNICON "${ICONS}/batchwright.ico"
!define MUI_ABORTWARNING
!define MUI_FINISHPAGE_RUN "$INSTDIR\batchwright.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

!macro RefuseWhileRunning
  ; A running program keeps its executable open for reading only.
  ${If} ${FileExists} "$INSTDIR\batchwright.exe"
    ClearErrors
    FileOpen $0 "$INSTDIR\batchwright.exe" a
    ${If} ${Errors}
      MessageBox MB_OK|MB_ICONEXCLAMATION "Close ${NAME} first, then try again." /SD IDOK
      SetErrorLevel 3
      Abort "${NAME} is running."
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

Function .onInit
  ${IfNot} ${RunningX64}
    MessageBox MB_OK|MB_ICONSTOP "${NAME} needs a 64-bit version of Windows." /SD IDOK
    SetErrorLevel 2
    Abort
  ${EndIf}
FunctionEnd

Section "Install"
  !insertmacro RefuseWhileRunning
  ; An older version: only the folders that the installer fills are emptied.
  RMDir /r "$INSTDIR\_internal"
  RMDir /r "$INSTDIR\licences"
  SetOutPath "$INSTDIR"
  File /r "${PROGRAM}/*"
  File "${ICONS}/batchwright-study.ico"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\batchwright.exe"

  WriteRegStr HKCU "Software\${NAME}" "Folder" "$INSTDIR"
  WriteRegStr HKCU "Software\Classes\.batchwright" "" "${STUDY}"
  WriteRegStr HKCU "Software\Classes\.batchwright\OpenWithProgids" "${STUDY}" ""
  WriteRegStr HKCU "Software\Classes\${STUDY}" "" "Batchwright study"
  WriteRegStr HKCU "Software\Classes\${STUDY}\DefaultIcon" "" "$INSTDIR\batchwright-study.ico"
  WriteRegStr HKCU "Software\Classes\${STUDY}\shell\open\command" "" '"$INSTDIR\batchwright.exe" "%1"'

  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\batchwright.exe"
  WriteRegStr HKCU "${UNINSTALL}" "Publisher" "${PUBLISHER}"
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)' ; file types have changed
SectionEnd

Section "Uninstall"
  !insertmacro RefuseWhileRunning
  RMDir /r "$INSTDIR\_internal"
  RMDir /r "$INSTDIR\licences"
  Delete "$INSTDIR\batchwright.exe"
  Delete "$INSTDIR\batchwright-cli.exe"
  Delete "$INSTDIR\batchwright-study.ico"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR" ; only if it is empty: what the user has put there stays
  Delete "$SMPROGRAMS\${NAME}.lnk"
  DeleteRegValue HKCU "Software\Classes\.batchwright\OpenWithProgids" "${STUDY}"
  ReadRegStr $0 HKCU "Software\Classes\.batchwright" ""
  ${If} $0 == "${STUDY}"
    DeleteRegValue HKCU "Software\Classes\.batchwright" ""
  ${EndIf}
  DeleteRegKey /ifempty HKCU "Software\Classes\.batchwright\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "Software\Classes\.batchwright"
  DeleteRegKey HKCU "Software\Classes\${STUDY}"
  DeleteRegKey HKCU "${UNINSTALL}"
  DeleteRegKey HKCU "Software\${NAME}"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd
