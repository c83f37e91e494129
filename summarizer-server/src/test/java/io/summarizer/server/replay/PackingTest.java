package io.summarizer.server.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PackingTest {
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
    void shouldRefuseALogThatIsPackedOtherwise(String name, String unpacker, String bytes) {
        assertThatThrownBy(() ->
                        Packing.unpacked(new ByteArrayInputStream(HexFormat.of().parseHex(bytes))))
                .isInstanceOf(IOException.class)
                .hasMessage("it is packed with " + name + ", and only gzip is unpacked here; unpack it first: "
                        + unpacker + " FILE | summarizer ... -");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "<", "BZh", "BZh9 is a word", "PK", "zstd", "(\u00b5/", "<134>1 - a b - c - d"})
    void shouldTakeALogThatIsNotPacked(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assertThat(Packing.unpacked(new ByteArrayInputStream(bytes)).readAllBytes())
                .isEqualTo(bytes);
    }
}
