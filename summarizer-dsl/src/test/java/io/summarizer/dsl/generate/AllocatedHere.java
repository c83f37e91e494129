package io.summarizer.dsl.generate;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Measures the allocation of the current thread, to the byte: the JVM counts it, compiled or not. */
public final class AllocatedHere {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private AllocatedHere() {}

    /** Work that may fail. */
    @FunctionalInterface
    public interface Work {
        void run() throws Exception;
    }

    /** Bytes that this thread allocates during {@code work}. */
    public static long during(Work work) throws Exception {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
