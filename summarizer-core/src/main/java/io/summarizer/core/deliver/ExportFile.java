package io.summarizer.core.deliver;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.summarizer.core.bytes.Sha256;
import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.DiskFile;
import io.summarizer.core.disk.DiskOutput;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.text.TimestampText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file of an export, and its manifest {@code NAME.manifest.json}. The file, and after it the manifest, is written
 * under a temporary name, forced to the disk, and renamed. An old manifest that describes other bytes is deleted before
 * the file gets its name. So a file that matches its manifest is complete. When the same rows are written again, file
 * and manifest get the same bytes again. Stateless.
 */
final class ExportFile {
    /** The end of a manifest's name, after the name of its file. */
    static final String MANIFEST = ".manifest.json";

    private static final JsonFactory JSON = new JsonFactory();

    private ExportFile() {}

    /** The rows of a file. */
    @FunctionalInterface
    interface Content {
        Written writeTo(OutputStream out) throws IOException, CsvQueryException, InterruptedException;
    }

    /** The columns and the number of rows that were written. */
    record Written(List<String> columns, long rows) {
        Written {
            columns = List.copyOf(columns);
        }
    }

    /**
     * The part of a manifest that is known before the rows are written.
     *
     * @param summary path of the table
     * @param window the window, null for the whole table
     */
    record Origin(String summary, long cut, @Nullable Window window) {}

    /** A time window, in µs since the epoch. */
    record Window(long start, long end) {}

    /**
     * Writes a file and its manifest.
     *
     * @param temporary name of the unfinished file
     */
    static void write(Disk folder, String name, String temporary, Origin origin, Content content)
            throws IOException, CsvQueryException, InterruptedException {
        try {
            byte[] manifest;
            try (DiskFile file = folder.create(temporary)) {
                DigestOutputStream out = new DigestOutputStream(new DiskOutput(file), Sha256.newDigest());
                Written written = content.writeTo(out);
                manifest = manifest(origin, written, out.getMessageDigest().digest());
                file.force();
            }
            String manifestName = name + MANIFEST;
            byte[] before = folder.read(manifestName, 1 << 20);
            if (before != null && !Arrays.equals(before, manifest)) {
                folder.delete(manifestName);
            }
            folder.rename(temporary, name);
            folder.sync();
            folder.replace(manifestName, temporary, manifest);
        } finally {
            folder.delete(temporary);
        }
    }

    private static byte[] manifest(Origin origin, Written written, byte[] sha256) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField("summary", origin.summary);
            json.writeArrayFieldStart("columns");
            for (String column : written.columns) {
                json.writeString(column);
            }
            json.writeEndArray();
            json.writeNumberField("rows", written.rows);
            json.writeNumberField("cut", origin.cut);
            if (origin.window == null) {
                json.writeNullField("window");
            } else {
                json.writeObjectFieldStart("window");
                json.writeStringField("start", TimestampText.toString(origin.window.start));
                json.writeStringField("end", TimestampText.toString(origin.window.end));
                json.writeEndObject();
            }
            json.writeStringField("sha256", HexFormat.of().formatHex(sha256));
            json.writeEndObject();
        }
        out.write('\n');
        return out.toByteArray();
    }
}
