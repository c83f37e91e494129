package io.summarizer.server.service;

import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.recovery.DurableControls;
import io.summarizer.core.recovery.WindowCloser;
import io.summarizer.core.store.Cut;
import io.summarizer.server.http.CutSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cuts of a pipeline in recovery. There are no cuts until the state is complete, because a pull before that would
 * show only a part of the numbers. Resets are durable.
 */
final class DurableCuts implements CutSource {
    private final CutSource cuts;
    private final Supplier<String> notYet;
    private volatile @Nullable DurableControls durable;
    private volatile @Nullable WindowCloser windows;

    /**
     * Makes a source without cuts yet.
     *
     * @param notYet supplies the reason why there are no cuts yet, in a few words
     */
    DurableCuts(Pipeline pipeline, Supplier<String> notYet) {
        cuts = CutSource.of(pipeline);
        this.notYet = notYet;
    }

    /** Allows cuts, once the pipeline has its whole state. */
    void begin(DurableControls durable, WindowCloser windows) {
        this.windows = windows;
        this.durable = durable;
    }

    private DurableControls ready() {
        DurableControls durable = this.durable;
        if (durable == null) {
            throw new IllegalStateException(notYet.get());
        }
        return durable;
    }

    @Override
    public Cut cut() throws InterruptedException {
        var unused = ready();
        return cuts.cut();
    }

    @Override
    public Cut checkpoint() throws InterruptedException {
        var unused = ready();
        return cuts.checkpoint();
    }

    @Override
    public Optional<Cut> reset(String summary) throws InterruptedException {
        try {
            return ready().reset(summary);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public OptionalLong closeWindows(String summary, OptionalLong before) throws InterruptedException {
        WindowCloser windows = this.windows;
        if (windows == null) {
            throw new IllegalStateException(notYet.get());
        }
        try {
            return windows.close(summary, before);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public OptionalLong state() {
        return cuts.state();
    }
}
