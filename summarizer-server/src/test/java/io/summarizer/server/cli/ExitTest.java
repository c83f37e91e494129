package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitTest {
    @ParameterizedTest
    @CsvSource({
        "400, 2", "401, 3", "403, 3", "404, 2", "409, 1", "413, 2", "422, 1", "429, 3", "500, 3", "502, 3", "503, 3",
        "301, 3"
    })
    void statusesOfAServiceHaveExitCodes(int status, int exit) {
        assertThat(Exit.ofStatus(status)).isEqualTo(exit);
    }

    @Test
    void whatNobodyForesawCouldNotBeDone() {
        assertThat(Exit.of(new IOException("x"))).isEqualTo(3);
        assertThat(Exit.of(new IllegalStateException("x"))).isEqualTo(3);
        assertThat(Exit.of(new CommandFailure("x"))).isEqualTo(3);
        assertThat(Exit.of(new CommandFailure(Exit.NO, "x"))).isEqualTo(1);
        assertThat(Exit.of(new CommandFailure(Exit.USAGE, "x"))).isEqualTo(2);
    }

    @Test
    void aCommandWithoutMemoryEndsWith3AndSaysWhatToDo() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) {
                throw new OutOfMemoryError("Java heap space");
            }
        };
        assertThat(Main.run(Terminal.of(full, err), Map.of(), "--version")).isEqualTo(3);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo("summarizer: out of memory: raise the heap (-Xmx in SUMMARIZER_JAVA_OPTS)\n");
    }
}
