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
        "400, USAGE",
        "401, FAILED",
        "403, FAILED",
        "404, USAGE",
        "409, NO",
        "413, USAGE",
        "422, NO",
        "429, FAILED",
        "500, FAILED",
        "502, FAILED",
        "503, FAILED",
        "301, FAILED"
    })
    void statusesOfAServiceAreFailuresOfAKind(int status, CommandFailure.Kind kind) {
        assertThat(Exit.kindOf(status)).isEqualTo(kind);
    }

    @Test
    void whatNobodyForesawCouldNotBeDone() {
        assertThat(Exit.of(new IOException("x"))).isEqualTo(3);
        assertThat(Exit.of(new IllegalStateException("x"))).isEqualTo(3);
        assertThat(Exit.of(new CommandFailure("x"))).isEqualTo(3);
        assertThat(Exit.of(new CommandFailure(CommandFailure.Kind.NO, "x"))).isEqualTo(1);
        assertThat(Exit.of(new CommandFailure(CommandFailure.Kind.USAGE, "x"))).isEqualTo(2);
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
