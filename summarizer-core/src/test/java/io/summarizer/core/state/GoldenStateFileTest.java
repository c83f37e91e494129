package io.summarizer.core.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.UpdateBatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A file of each version of the format, written when that version was current. They never change, because users have
 * such files. {@code -Dgolden.state=DIR} writes those of the current version there, and fails.
 */
class GoldenStateFileTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void shouldReadEveryVersion(int version) throws Exception {
        String directory = System.getProperty("golden.state");
        if (directory != null) {
            String name = "version-" + StateFormat.VERSION;
            StateWriter.write(present().freeze(7, 8), Path.of(directory, name + ".state"), 1);
            Files.write(Path.of(directory, name + ".txt"), States.dump(present()));
            fail("written to " + directory + "; nothing was tested");
        }
        Path file = folder.resolve("golden.state");
        Files.write(file, resource("version-" + version + ".state"));
        Path text = folder.resolve("golden.txt");
        Files.write(text, resource("version-" + version + ".txt"));
        Summaries read = States.empty(List.of(StateFileTest.everything()));
        States.load(file, read);
        assertThat(String.join("\n", States.dump(read)) + "\n").isEqualTo(Files.readString(text));
    }

    /** All features of the current version: every type, and sums that do not fit 64 bits. */
    private static Summaries present() {
        Summaries state = StateFileTest.small();
        SummaryLayout layout = state.layouts().get(0);
        KeyBuffer key = Rows.key(layout, 1L, 2L, 3L, 4L, true, "five", 7L);
        UpdateBatch batch = new UpdateBatch(1);
        for (int i = 0; i < 3; i++) {
            batch.clear();
            batch.beginRow(0, key, key.hash(), 77);
            batch.addLong(AggregateType.SUMINT32.ordinal(), Long.MAX_VALUE);
            batch.addLong(AggregateType.SUMINT64.ordinal(), Long.MIN_VALUE);
            batch.addLong(AggregateType.SUMCURRENCY.ordinal(), Long.MAX_VALUE);
            batch.endRow();
            States.apply(state, 0, batch);
        }
        return state;
    }

    private static byte[] resource(String name) throws java.io.IOException {
        try (var in = GoldenStateFileTest.class.getResourceAsStream(name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }
}
