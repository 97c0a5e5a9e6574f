/* Wine 8 has no icuuc.dll, the converters of Windows 10. Here there are none, so that Qt uses its own. */

#define NONE(name, type, value) __declspec(dllexport) type name(void) { return value; }

#define U_FILE_ACCESS_ERROR 4

__declspec(dllexport) void *ucnv_open(const char *name, int *error)
{
    (void)name;
    *error = U_FILE_ACCESS_ERROR;
    return 0;
}

NONE(ucnv_close, void *, 0)
NONE(ucnv_reset, void *, 0)
NONE(ucnv_getMaxCharSize, signed char, 1)
NONE(ucnv_getName, const char *, 0)
NONE(ucnv_getToUCallBack, void *, 0)
NONE(ucnv_getFromUCallBack, void *, 0)
NONE(ucnv_setToUCallBack, void *, 0)
NONE(ucnv_setFromUCallBack, void *, 0)
NONE(ucnv_cbToUWriteUChars, void *, 0)
NONE(ucnv_cbFromUWriteUChars, void *, 0)
NONE(ucnv_toUnicode, void *, 0)
NONE(ucnv_fromUnicode, void *, 0)
NONE(ucnv_toUCountPending, int, 0)
NONE(ucnv_fromUCountPending, int, 0)
NONE(ucnv_getStandardName, const char *, 0)
NONE(ucnv_getAvailableName, const char *, 0)
NONE(ucnv_countAvailable, int, 0)
NONE(UCNV_FROM_U_CALLBACK_SUBSTITUTE, void *, 0)
NONE(UCNV_TO_U_CALLBACK_SUBSTITUTE, void *, 0)
