package io.summarizer.server.http;

import io.summarizer.core.store.Cut;

/** Where cuts come from; {@code pipeline::cut} is one. */
@FunctionalInterface
public interface CutSource {
    /** Takes a cut now. Blocks for some milliseconds; never called from an event loop, nor by two threads at once. */
    Cut cut() throws InterruptedException;
}
