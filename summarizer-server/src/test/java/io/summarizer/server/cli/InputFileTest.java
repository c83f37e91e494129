package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InputFileTest {
    @TempDir
    Path folder;

    /** The first bytes of files that the usual tools made. */
    @ParameterizedTest
    @CsvSource({
        "zstd, zstdcat, 28b52ffd240d690000",
        "zstd, zstdcat, 502a4d1804000000", // pzstd
        "xz, xzcat, fd377a585a000004e6",
        "bzip2, bzcat, 425a683931415926535983",
        "bzip2, bzcat, 425a683917724538509000000000", // empty
        "lz4, lz4cat, 02214c18", // lz4 -l
        "lz4, lz4cat, 04224d186440a70d",
        "zip, unzip -p, 504b03040a0000000000",
    })
    void shouldRefuseALogThatIsPackedOtherwise(String name, String unpacker, String bytes) throws IOException {
        Path file = Files.write(folder.resolve("log"), HexFormat.of().parseHex(bytes));
        assertThatThrownBy(() -> InputFile.checkLog(file))
                .hasMessage(file + ": is packed with " + name + "; only gzip is unpacked here. Unpack it, and read"
                        + " standard input: " + unpacker + " FILE | summarizer ... -");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<", "BZh", "BZh9 is a word", "PK", "zstd", "(\u00b5/"})
    void shouldTakeALogThatIsNotPacked(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("log"), text);
        assertThatCode(() -> InputFile.checkLog(file)).doesNotThrowAnyException();
    }
}
