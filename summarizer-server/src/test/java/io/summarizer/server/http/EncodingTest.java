package io.summarizer.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EncodingTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                        | IDENTITY",
                "gzip, zstd                | ZSTD",
                "gzip;q=1.0, zstd;q=0.5    | GZIP",
                "gzip, deflate, br         | GZIP",
                "GZIP                      | GZIP",
                "zstd;q=0, gzip;q=0        | IDENTITY",
                "*                         | GZIP",
                "gzip;q=0, *               | IDENTITY",
                "identity, gzip;q=0.5      | IDENTITY",
                "gzip;q=nonsense           | IDENTITY",
                "gzip;q=1e999, zstd;q=NaN  | IDENTITY",
                "br                        | IDENTITY"
            })
    void aBodyIsPackedAsTheClientWeighsIt(String accepted, Encoding expected) {
        assertThat(Encoding.of(accepted)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(Encoding.class)
    void aBodyThatIsClosedUnfinishedWritesNothingMore(Encoding encoding) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Encoding.Body body = encoding.into(out);
        body.write(new byte[1_000]);
        int before = out.size();
        body.close();
        assertThat(out.size()).isEqualTo(before);
    }

    @Test
    void aHeaderOfManyItemsCostsLittle() {
        assertThat(Encoding.of("x,".repeat(100_000) + "gzip")).isEqualTo(Encoding.IDENTITY);
    }
}
