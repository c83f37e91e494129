package io.summarizer.bench.e2e;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Runs work on several connections at once, with a thread for each. */
final class Connections {
    private Connections() {}

    /** Does the work of one connection; returns the number of messages that it sent. */
    @FunctionalInterface
    interface Work {
        long run(int index) throws IOException;
    }

    /** Runs all connections to the end; returns the number of messages sent. */
    static long run(int connections, Work work) throws IOException, InterruptedException {
        List<FutureTask<Long>> tasks = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            int index = i;
            FutureTask<Long> task = new FutureTask<>(() -> work.run(index));
            new Thread(task, "connection-" + index).start();
            tasks.add(task);
        }
        long messages = 0;
        for (FutureTask<Long> task : tasks) {
            try {
                messages += task.get();
            } catch (ExecutionException e) {
                throw new IOException(e.getCause());
            }
        }
        return messages;
    }
}
