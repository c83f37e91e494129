package io.summarizer.server.metrics;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * Bytes that the threads of this process have allocated on the heap. The number is exact for live threads. For a thread
 * that has ended, it includes the bytes that the thread had allocated at the last call before its end. A call takes a
 * few µs. Thread-safe.
 */
final class AllocatedBytes {
    private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    /** Bytes of each live thread at the last call. Guarded by this, like all fields below. */
    private Map<Long, Long> living = new HashMap<>();

    private long ended;

    /** Returns the total so far; never less than at the last call. */
    synchronized long total() {
        long[] ids = threads.getAllThreadIds();
        long[] bytes = threads.getThreadAllocatedBytes(ids);
        Map<Long, Long> now = new HashMap<>(2 * ids.length);
        long sum = 0;
        for (int i = 0; i < ids.length; i++) {
            if (bytes[i] >= 0) { // otherwise the thread ended meanwhile
                now.put(ids[i], bytes[i]);
                living.remove(ids[i]);
                sum += bytes[i];
            }
        }
        for (long last : living.values()) {
            ended += last;
        }
        living = now;
        return ended + sum;
    }
}
