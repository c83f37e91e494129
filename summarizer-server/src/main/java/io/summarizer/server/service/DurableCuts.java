package io.summarizer.server.service;

import io.summarizer.core.archive.WindowRefusedException;
import io.summarizer.core.archive.WindowUpload;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.recovery.DurableControls;
import io.summarizer.core.recovery.WindowCloser;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.Cut;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.http.CutSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cuts of a pipeline in recovery. There are no cuts until the state is recovered, because an earlier pull would
 * show only a part of the numbers. Resets are durable.
 */
final class DurableCuts implements CutSource {
    private final Pipeline pipeline;
    private final Supplier<String> notYet;
    private final long uploadBytesMax;
    private final LateCounts late;
    /** The permit for the upload of a window. An upload takes room on the disk, so only one upload runs at a time. */
    private final Semaphore upload = new Semaphore(1);

    private volatile @Nullable DurableControls durable;
    private volatile @Nullable WindowCloser windows;

    /**
     * Makes a source without cuts yet.
     *
     * @param notYet supplies the reason why there are no cuts yet, in a few words
     */
    DurableCuts(Pipeline pipeline, ServerConfig config, Supplier<String> notYet) {
        this.pipeline = pipeline;
        uploadBytesMax = config.limits().stateBytes();
        late = new LateCounts(DataFolder.late(config.data()));
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
        return pipeline.cut();
    }

    @Override
    public Cut checkpoint() throws InterruptedException {
        var unused = ready();
        return pipeline.cut(CutLease.Kind.CHECKPOINT);
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
        try {
            return windows().close(summary, before);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private WindowCloser windows() {
        WindowCloser windows = this.windows;
        if (windows == null) {
            throw new IllegalStateException(notYet.get());
        }
        return windows;
    }

    @Override
    public Upload beginPut(String summary) throws IOException {
        WindowCloser windows = windows();
        if (!upload.tryAcquire()) {
            throw new WindowRefusedException("another window is being put, and there is one at a time");
        }
        try {
            WindowUpload file = windows.beginPut(summary, uploadBytesMax);
            return new Upload() {
                private boolean closed;

                @Override
                public void write(ByteBuffer bytes) throws IOException {
                    file.write(bytes);
                }

                @Override
                public ClosedWindow put(boolean overwrite) throws IOException, InterruptedException {
                    if (overwrite) {
                        file.putAnyway();
                    }
                    return windows.put(
                            summary,
                            file,
                            TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis()),
                            Runtime.getRuntime().availableProcessors());
                }

                @Override
                public void close() throws IOException {
                    if (!closed) {
                        closed = true;
                        try {
                            file.close();
                        } finally {
                            upload.release(); // after the close, because the next file may have the same bytes and name
                        }
                    }
                }
            };
        } catch (IOException | RuntimeException e) {
            upload.release();
            throw e;
        }
    }

    @Override
    public Map<Long, Long> late(String summary) throws IOException {
        return late.of(summary);
    }

    /** Returns the version of the pipeline; see {@code PipelineGauges.version}. */
    @Override
    public OptionalLong state() {
        return OptionalLong.of(pipeline.gauges().version());
    }
}
