/* Stands for the program where only its installer is checked: prints its version, and waits if it is told to. */

#include <stdio.h>
#include <string.h>
#include <windows.h>

int main(int count, char **arguments)
{
    printf("batchwright %s\n", VERSION);
    fflush(stdout);
    if (count > 1 && strcmp(arguments[1], "wait") == 0)
        Sleep(60000);
    return 0;
}
