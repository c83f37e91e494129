package io.summarizer.core.pipeline;

import io.summarizer.core.store.OpenWindows;
import java.util.concurrent.TimeUnit;

/**
 * Bounds on the windows of summaries.
 *
 * @param openMax bound on the open windows of each summary
 * @param aheadMicros maximum time by which the time of an event may be later than the arrival of the event, in µs
 * @param idleMicros time without events after which the watermark of an input advances with the clock, in µs
 */
public record WindowOptions(int openMax, long aheadMicros, long idleMicros) {
    /** The defaults: 256 windows, an hour and a minute. */
    public static final WindowOptions DEFAULT =
            new WindowOptions(OpenWindows.DEFAULT_MAX, TimeUnit.HOURS.toMicros(1), TimeUnit.MINUTES.toMicros(1));

    public WindowOptions {
        if (openMax < 1 || aheadMicros < 0 || idleMicros < 1) {
            throw new IllegalArgumentException(
                    "openMax=" + openMax + " aheadMicros=" + aheadMicros + " idleMicros=" + idleMicros);
        }
    }
}
