package io.summarizer.server.http;

import io.summarizer.core.archive.WindowRefusedException;
import io.summarizer.core.pipeline.ResetRefusedException;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.Cut;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A source of cuts. */
@FunctionalInterface
public interface CutSource {
    /**
     * Returns a cut, which may be an earlier cut. The caller then holds the cut. The method blocks for a few
     * milliseconds, so event loops must not call it. Two threads must not call it at the same time.
     */
    Cut cut() throws InterruptedException;

    /**
     * Returns the reason, for users, why requests can change nothing and why there are no definitions to show; empty
     * when changes are possible.
     */
    default Optional<String> fixed() {
        return Optional.empty();
    }

    /**
     * Takes a cut of only the summary with this name, and empties the summary. The summary's rows are then only in the
     * cut. The rules for callers of {@link #cut} apply. Returns empty when there is no such summary.
     *
     * @throws ResetRefusedException when too many rows of earlier resets are kept
     */
    default Optional<Cut> reset(String summary) throws InterruptedException {
        throw new UnsupportedOperationException("these summaries cannot be emptied");
    }

    /**
     * Closes windows of a summary now, whatever the watermark is. Blocks until the close is durable.
     *
     * @param before time in µs since the epoch: only windows that begin before this time are closed; empty for all
     *     windows that have rows
     * @return the boundary, a time before which all closed windows begin; empty when there were no windows to close
     */
    default OptionalLong closeWindows(String summary, OptionalLong before) throws InterruptedException {
        throw new UnsupportedOperationException("windows of these summaries cannot be closed");
    }

    /** A file that is received and then becomes a closed window. One thread at a time. */
    interface Upload extends AutoCloseable {
        /** Appends bytes of the file. */
        void write(ByteBuffer bytes) throws IOException;

        /**
         * Makes the file a closed window.
         *
         * @param overwrite whether the file may replace a file that it was not made from
         * @throws WindowRefusedException when the file is damaged, or contains no window that may be replaced or added
         *     in this summary
         */
        ClosedWindow put(boolean overwrite) throws IOException, InterruptedException;

        /** Deletes the file, unless it became a window. */
        @Override
        void close() throws IOException;
    }

    /**
     * Begins to receive a file that becomes a closed window of a summary.
     *
     * @throws WindowRefusedException when the summary has no windows, or another file is being received
     */
    default Upload beginPut(String summary) throws IOException {
        throw new UnsupportedOperationException("windows of these summaries cannot be put");
    }

    /**
     * Returns how many late messages of each window of a summary are kept. For results of a job, which keeps no late
     * messages, returns the number of late updates. The key of the map is the start of the window in µs since the
     * epoch. Blocks for the disk.
     */
    default Map<Long, Long> late(String summary) throws IOException {
        return Map.of();
    }

    /**
     * Takes a cut that is never revoked. Such a cut may slow updates down, so the caller must not hold the cut for
     * long. The rules for callers of {@link #cut} apply.
     */
    default Cut checkpoint() throws InterruptedException {
        return cut();
    }

    /**
     * Returns a number that changes whenever messages are processed. If two calls return the same number, no message
     * was processed in between, and a cut taken in between is up to date. An empty result means that this is not known,
     * and that any cut may differ from the cut before. Cheap; any thread may call it.
     */
    default OptionalLong state() {
        return OptionalLong.empty();
    }
}
