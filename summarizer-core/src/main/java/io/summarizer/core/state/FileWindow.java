package io.summarizer.core.state;

import java.util.List;

/**
 * The closed window whose rows a state file has. Such a file has no other rows. Times are µs since the epoch.
 *
 * @param start start of the window
 * @param end end of the window, after its start
 * @param madeFrom the files of this window whose rows the file began with; empty when there were none, or when they are
 *     not known
 * @param added names of the late messages that corrections added to the rows, in the order of the corrections; at most
 *     the last {@value #ADDED_MAX}. A restart may replay a late message after it was added, so the next correction must
 *     recognize it. A name is the first 8 bytes of the SHA-256 of the arrival stamp and the octet-counted frame
 */
public record FileWindow(long start, long end, List<FileId> madeFrom, List<Long> added) {
    /** Maximum number of names, which take 8 bytes each in the file. */
    public static final int ADDED_MAX = 1 << 16;

    public FileWindow {
        madeFrom = List.copyOf(madeFrom);
        added = List.copyOf(added.subList(Math.max(0, added.size() - ADDED_MAX), added.size()));
    }

    /** A window whose file was made from no other file. */
    public FileWindow(long start, long end) {
        this(start, end, List.of(), List.of());
    }
}
