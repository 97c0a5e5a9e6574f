; The installer for Windows, for the current user or for all. Compile with
;   makensis -DVERSION=0.1.0 -DPROGRAM=folder -DICONS=folder -DLONGEST_PATH=120 -DOUT=setup.exe batchwright.nsi
; Silent: setup.exe /S [/ALLUSERS] [/D=C:\folder] and uninstall.exe /S. Studies and settings are never touched.

; With -DTARGET=amd64-unicode, it is a 64-bit program, for Wine without 32-bit libraries; it is made quickly.
!ifdef TARGET
  Target ${TARGET}
  SetCompressor zlib
!else
  Unicode true
  SetCompressor /SOLID lzma
!endif
RequestExecutionLevel user
ManifestDPIAware true

!include "MUI2.nsh"
!include "x64.nsh"
!include "FileFunc.nsh"

!define NAME "Batchwright"
!define PUBLISHER "The Batchwright authors"
!define STUDY "Batchwright.Study"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Batchwright"
!define FOLDER_OF_USER "$LOCALAPPDATA\Programs\${NAME}"
!define LONGEST_WINDOWS_PATH 259

; Exit codes; 0 is success, and 1 that the user has cancelled.
!define NEEDS_64_BIT 2
!define IS_RUNNING 3
!define NEEDS_ADMINISTRATOR 4
!define FOLDER_UNUSABLE 5

Name "${NAME}"
OutFile "${OUT}"
InstallDir "${FOLDER_OF_USER}"
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

!macro Refuse CODE MESSAGE
  MessageBox MB_OK|MB_ICONEXCLAMATION "${MESSAGE}" /SD IDOK
  SetErrorLevel ${CODE}
  Abort "${MESSAGE}"
!macroend

!macro RefuseWhileRuns PROGRAM
  ; A running program keeps its executable open for reading only.
  ${If} ${FileExists} "$INSTDIR\${PROGRAM}"
    ClearErrors
    FileOpen $0 "$INSTDIR\${PROGRAM}" a
    ${If} ${Errors}
      !insertmacro Refuse ${IS_RUNNING} "Close ${NAME} and its commands first, then try again."
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

!macro RefuseWhileRunning
  !insertmacro RefuseWhileRuns "batchwright.exe"
  !insertmacro RefuseWhileRuns "batchwright-cli.exe" ; the local service, and other commands
!macroend

Function .onInit
  ${IfNot} ${RunningX64}
    !insertmacro Refuse ${NEEDS_64_BIT} "${NAME} needs a 64-bit version of Windows."
  ${EndIf}
  SetRegView 64
  StrCpy $2 "given by /D="
  ${If} $INSTDIR == "${FOLDER_OF_USER}"
    StrCpy $2 "usual"
  ${EndIf}
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/ALLUSERS" $1
  ${IfNot} ${Errors}
    UserInfo::GetAccountType
    Pop $1
    ${If} $1 != "Admin"
      !insertmacro Refuse ${NEEDS_ADMINISTRATOR} "Run the installer as administrator to install ${NAME} for all users."
    ${EndIf}
    SetShellVarContext all
    ${If} $2 == "usual"
      StrCpy $INSTDIR "$PROGRAMFILES64\${NAME}"
    ${EndIf}
  ${EndIf}
  ${If} $2 == "usual"
    ReadRegStr $1 SHCTX "Software\${NAME}" "Folder" ; of an older version
    ${If} $1 != ""
      StrCpy $INSTDIR $1
    ${EndIf}
  ${EndIf}
FunctionEnd

Function un.onInit
  SetRegView 64
  ReadRegStr $0 HKLM "Software\${NAME}" "Folder"
  ${If} $0 == $INSTDIR
    SetShellVarContext all
    UserInfo::GetAccountType
    Pop $1
    ${If} $1 != "Admin"
      ${If} ${Silent}
        SetErrorLevel ${NEEDS_ADMINISTRATOR}
      ${Else}
        ExecShell "runas" "$INSTDIR\uninstall.exe"
      ${EndIf}
      Quit
    ${EndIf}
  ${EndIf}
FunctionEnd

Section "Install"
  !insertmacro RefuseWhileRunning
  StrLen $0 $INSTDIR
  IntOp $0 $0 + ${LONGEST_PATH}
  ${If} $0 >= ${LONGEST_WINDOWS_PATH}
    !insertmacro Refuse ${FOLDER_UNUSABLE} "The path of the folder is too long for Windows. Choose a folder with a shorter path."
  ${EndIf}
  ; An older version: only the folders that the installer fills are emptied.
  RMDir /r "$INSTDIR\_internal"
  RMDir /r "$INSTDIR\licences"
  ClearErrors
  SetOutPath "$INSTDIR"
  File /r "${PROGRAM}/*"
  File "${ICONS}/batchwright-study.ico"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  ${If} ${Errors}
    !insertmacro Refuse ${FOLDER_UNUSABLE} "Not all files could be written to $INSTDIR. Check the permissions and the disk space, then try again."
  ${EndIf}
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\batchwright.exe"

  WriteRegStr SHCTX "Software\${NAME}" "Folder" "$INSTDIR"
  WriteRegStr SHCTX "Software\Classes\.batchwright" "" "${STUDY}"
  WriteRegStr SHCTX "Software\Classes\.batchwright\OpenWithProgids" "${STUDY}" ""
  WriteRegStr SHCTX "Software\Classes\${STUDY}" "" "Batchwright study"
  WriteRegStr SHCTX "Software\Classes\${STUDY}\DefaultIcon" "" "$INSTDIR\batchwright-study.ico"
  WriteRegStr SHCTX "Software\Classes\${STUDY}\shell\open\command" "" '"$INSTDIR\batchwright.exe" "%1"'

  WriteRegStr SHCTX "${UNINSTALL}" "DisplayName" "${NAME}"
  WriteRegStr SHCTX "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr SHCTX "${UNINSTALL}" "DisplayIcon" "$INSTDIR\batchwright.exe"
  WriteRegStr SHCTX "${UNINSTALL}" "Publisher" "${PUBLISHER}"
  WriteRegStr SHCTX "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegStr SHCTX "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr SHCTX "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD SHCTX "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD SHCTX "${UNINSTALL}" "NoRepair" 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD SHCTX "${UNINSTALL}" "EstimatedSize" $0
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
  DeleteRegValue SHCTX "Software\Classes\.batchwright\OpenWithProgids" "${STUDY}"
  ReadRegStr $0 SHCTX "Software\Classes\.batchwright" ""
  ${If} $0 == "${STUDY}"
    DeleteRegValue SHCTX "Software\Classes\.batchwright" ""
  ${EndIf}
  DeleteRegKey /ifempty SHCTX "Software\Classes\.batchwright\OpenWithProgids"
  DeleteRegKey /ifempty SHCTX "Software\Classes\.batchwright"
  DeleteRegKey SHCTX "Software\Classes\${STUDY}"
  DeleteRegKey SHCTX "${UNINSTALL}"
  DeleteRegKey SHCTX "Software\${NAME}"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd
