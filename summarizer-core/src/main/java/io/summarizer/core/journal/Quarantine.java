package io.summarizer.core.journal;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Copies of unreadable bytes. The journal continues without these bytes, and the copies are kept in a folder for
 * inspection. The total size of the copies has a bound. Once the bound is reached, nothing more is copied, and a report
 * says so.
 */
final class Quarantine {
    private static final String FOLDER = "quarantine";
    private static final int FILES_MAX = 64;
    private static final long BYTES_MAX = 256L << 20;
    private static final int COPY_BYTES = 1 << 16;

    private final Disk journal;
    private final Disk folder;
    private final Consumer<String> notes;

    Quarantine(Disk journal, Consumer<String> notes) {
        this.journal = journal;
        this.notes = notes;
        folder = journal.folder(FOLDER);
    }

    /** Copies the bytes of {@code lost}, unless they were copied before. A failure to copy has no other effect. */
    void keep(Lost lost) {
        notes.accept(lost.toString());
        if (lost.bytes() == 0) {
            return;
        }
        String copy = String.format(Locale.ROOT, "%s.%d.bytes", lost.file(), lost.position());
        try {
            List<String> files = folder.list();
            if (files.contains(copy)) {
                return;
            }
            long bytes = lost.bytes();
            for (String file : files) {
                bytes += folder.size(file);
            }
            if (files.size() >= FILES_MAX || bytes > BYTES_MAX) {
                notes.accept("the damaged bytes were not copied: " + FOLDER + "/ is full");
                return;
            }
            copy(lost, copy);
            notes.accept("the damaged bytes were copied to " + FOLDER + "/" + copy);
        } catch (IOException e) {
            notes.accept("the damaged bytes were not copied: " + e.getMessage());
        }
    }

    private void copy(Lost lost, String copy) throws IOException {
        try (DiskFile from = journal.open(lost.file(), false);
                DiskFile to = folder.create(copy)) {
            ByteBuffer buffer = ByteBuffer.allocate(COPY_BYTES);
            long at = 0;
            while (at < lost.bytes()) {
                buffer.clear().limit((int) Math.min(COPY_BYTES, lost.bytes() - at));
                int read = from.read(buffer, lost.position() + at);
                if (read <= 0) {
                    break;
                }
                to.write(buffer.flip(), at);
                at += read;
            }
            to.force();
        }
    }
}
