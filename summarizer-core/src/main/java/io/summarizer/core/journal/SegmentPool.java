package io.summarizer.core.journal;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files for future segments. Each file is written in full and forced before it is used. So appending changes only the
 * contents of a file, and a full disk is noticed early. Released segments return to the pool. They can be reused with
 * their old contents, because each record has the id of its segment.
 *
 * <p>Thread-safe. Files are made under the lock, so a caller that needs a file waits while another file is being made.
 */
final class SegmentPool {
    private static final Pattern SPARE = Pattern.compile("spare\\.(\\d{10})");
    static final String UNFINISHED = "unfinished";
    /** Maximum number of prepared files; further files are deleted. */
    private static final int SPARES_MAX = 2;

    private static final int ZEROS_BYTES = 1 << 20;

    private final Disk disk;
    private final long segmentBytes;
    private final ArrayDeque<String> spares = new ArrayDeque<>();
    private final ByteBuffer zeros;
    private int lastNumber;
    private volatile long bytes;

    /** Finds the prepared files among {@code files}, and deletes unfinished files of an earlier process. */
    SegmentPool(Disk disk, long segmentBytes, List<String> files) throws IOException {
        this.disk = disk;
        this.segmentBytes = segmentBytes;
        zeros = ByteBuffer.allocateDirect((int) Math.min(ZEROS_BYTES, segmentBytes));
        for (String file : files) {
            Matcher matcher = SPARE.matcher(file);
            if (file.equals(UNFINISHED)) {
                disk.delete(file);
            } else if (matcher.matches()) {
                lastNumber = (int) Math.max(lastNumber, Long.parseLong(matcher.group(1)) & Integer.MAX_VALUE);
                keepOrDelete(file, disk.size(file));
            }
        }
    }

    /** Bytes of the prepared files. Does not block. */
    long bytes() {
        return bytes;
    }

    /** Prepares a file unless there is one. */
    synchronized void prepare() throws IOException {
        if (spares.isEmpty()) {
            String spare = spare();
            make(segmentBytes).close();
            disk.rename(UNFINISHED, spare);
            add(spare);
        }
    }

    /**
     * Returns a file of the usual size, named {@code file}: a prepared file, or a new file when no file is prepared.
     * The caller has to sync the folder.
     */
    synchronized DiskFile take(String file) throws IOException {
        prepare();
        String spare = spares.element();
        DiskFile open = disk.open(spare, true);
        try {
            disk.rename(spare, file);
        } catch (IOException | RuntimeException e) {
            open.close();
            throw e;
        }
        spares.remove();
        bytes = spares.size() * segmentBytes;
        return open;
    }

    /**
     * Creates a file of an unusual size, named {@code file}. First deletes the prepared files, because the new file may
     * need their room. The caller has to sync the folder.
     */
    synchronized DiskFile take(String file, long bytes) throws IOException {
        while (!spares.isEmpty()) {
            disk.delete(spares.element());
            spares.remove();
            this.bytes = spares.size() * segmentBytes;
        }
        DiskFile open = make(bytes);
        try {
            disk.rename(UNFINISHED, file);
        } catch (IOException | RuntimeException e) {
            open.close();
            throw e;
        }
        return open;
    }

    private DiskFile make(long bytes) throws IOException {
        DiskFile open = disk.create(UNFINISHED);
        try {
            for (long at = 0; at < bytes; at += zeros.capacity()) {
                zeros.clear().limit((int) Math.min(zeros.capacity(), bytes - at));
                open.write(zeros, at);
            }
            open.force();
            return open;
        } catch (IOException | RuntimeException e) {
            open.close();
            disk.delete(UNFINISHED); // its bytes may be missing elsewhere
            throw e;
        }
    }

    /**
     * Takes back the file of a segment that is no longer needed.
     *
     * @param keep whether its file may be reused
     */
    synchronized void recycle(Segment segment, boolean keep) throws IOException {
        keepOrDelete(segment.name().file(), keep ? segment.bytes() : 0);
    }

    private void keepOrDelete(String file, long bytes) throws IOException {
        if (bytes != segmentBytes || spares.size() >= SPARES_MAX) {
            disk.delete(file);
        } else if (SPARE.matcher(file).matches()) {
            add(file);
        } else {
            String spare = spare();
            disk.rename(file, spare);
            add(spare);
        }
    }

    private void add(String spare) {
        spares.add(spare);
        bytes = spares.size() * segmentBytes;
    }

    private String spare() {
        lastNumber = lastNumber == Integer.MAX_VALUE ? 1 : lastNumber + 1;
        return String.format(Locale.ROOT, "spare.%010d", lastNumber);
    }
}
