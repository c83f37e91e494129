package io.summarizer.server.metrics;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * Bytes that the threads of this process allocated on the heap since each of them began. Exact for threads that live; of one
 * that ended it counts what was there when somebody asked last. Some µs an answer. Thread-safe.
 */
final class AllocatedBytes {
    private final ThreadMXBean threads = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    /** By thread, as of the last answer. Guarded by this, as is all that follows. */
    private Map<Long, Long> living = new HashMap<>();

    private long ended;

    /** All so far; never less than at the answer before. */
    synchronized long total() {
        long[] ids = threads.getAllThreadIds();
        long[] bytes = threads.getThreadAllocatedBytes(ids);
        Map<Long, Long> now = new HashMap<>(2 * ids.length);
        long sum = 0;
        for (int i = 0; i < ids.length; i++) {
            if (bytes[i] >= 0) { // else the thread ended meanwhile
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
