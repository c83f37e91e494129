/*
 * A wall clock that can be set for one process. The process loads this library before the C library. The library adds a
 * number of seconds to CLOCK_REALTIME; all other clocks stay as they are. The variable WALL_CLOCK names the file with this
 * number, a little-endian int64 that may change at any time.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *offset;
static int (*libc_clock_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
    libc_clock_gettime = (int (*)(clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
    const char *name = getenv("WALL_CLOCK");
    int file = name == NULL ? -1 : open(name, O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
        void *mapped = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
        offset = mapped == MAP_FAILED ? NULL : mapped;
        close(file);
    }
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = libc_clock_gettime(clock, now);
    if (result == 0 && clock == CLOCK_REALTIME && offset != NULL) {
        now->tv_sec += *offset;
    }
    return result;
}
