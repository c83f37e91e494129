package io.summarizer.core.state;

import java.util.List;

/**
 * The closed window whose rows a state file has. Such a file has no other rows. Times are µs since the epoch.
 *
 * @param start start of the window
 * @param end end of the window, after its start
 * @param madeFrom the files of this window whose rows the file began with; empty when there were none, or when they are
 *     not known
 */
public record FileWindow(long start, long end, List<FileId> madeFrom) {
    public FileWindow {
        madeFrom = List.copyOf(madeFrom);
    }

    /** A window whose file was made from no other file. */
    public FileWindow(long start, long end) {
        this(start, end, List.of());
    }
}
