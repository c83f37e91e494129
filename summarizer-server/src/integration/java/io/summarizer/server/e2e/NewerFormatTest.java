package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.bytes.Bytes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A data folder that a newer program wrote: this one refuses to start with it, and changes no file. */
class NewerFormatTest {
    private static final int VERSION_OFFSET = 8;
    private static final int STATE_CHECKSUM_OFFSET = 12;
    private static final int SEGMENT_CHECKSUM_OFFSET = 60;

    @TempDir
    private Path folder;

    private Path data;
    private Path definitions;

    /** The data of version 1 have checkpoints and a journal; the test only raises their version numbers. */
    @BeforeEach
    void takeADataFolder() throws Exception {
        data = folder.resolve("data");
        Path resources = Path.of(
                Objects.requireNonNull(getClass().getResource("/version-1")).toURI());
        definitions = resources.resolve("definitions");
        try (InputStream in = Files.newInputStream(resources.resolve("data.zip"));
                ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = data.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.copy(zip, file);
            }
        }
    }

    @Test
    void checkpointsOfANewerFormatAreRefusedAndStay() throws Exception {
        makeNewer("checkpoints", "SUMMSTAT", STATE_CHECKSUM_OFFSET);
        assertIsRefusedAndStays();
    }

    @Test
    void aJournalOfANewerFormatIsRefusedAndStays() throws Exception {
        makeNewer("journal", "SUMMJRNL", SEGMENT_CHECKSUM_OFFSET);
        assertIsRefusedAndStays();
    }

    private void makeNewer(String name, String magic, int checksumOffset) throws IOException {
        int changed = 0;
        try (Stream<Path> files = Files.list(data.resolve(name))) {
            for (Path file : files.toList()) {
                byte[] bytes = Files.readAllBytes(file);
                if (bytes.length > checksumOffset
                        && Arrays.equals(bytes, 0, magic.length(), magic.getBytes(US_ASCII), 0, magic.length())) {
                    Bytes.putInt(bytes, VERSION_OFFSET, 3);
                    CRC32C checksum = new CRC32C();
                    checksum.update(bytes, 0, checksumOffset);
                    Bytes.putInt(bytes, checksumOffset, (int) checksum.getValue());
                    Files.write(file, bytes);
                    changed++;
                }
            }
        }
        assertThat(changed).isPositive();
    }

    private void assertIsRefusedAndStays() throws IOException {
        Map<String, String> before = contents();
        assertThatThrownBy(() -> RunningService.start(definitions, data))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has format version 3, this program reads versions 1 to 2");
        assertThat(contents()).isEqualTo(before);
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** Digests of all files by name, except the lock, which every start takes. */
    private Map<String, String> contents() throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String name = data.relativize(file).toString();
                if (!name.equals("lock")) {
                    contents.put(name, sha256(Files.readAllBytes(file)));
                }
            }
        }
        return contents;
    }
}
