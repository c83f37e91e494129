package io.summarizer.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TeardownTest {
    @Test
    void partsStopInReverseAndOneThatFailsKeepsNoOtherFromStopping() {
        List<String> stopped = new ArrayList<>();
        Teardown teardown = new Teardown();
        teardown.add("first", () -> stopped.add("first"));
        teardown.add("second", () -> {
            throw new IOException("as expected by this test");
        });
        teardown.add("third", () -> stopped.add("third"));
        teardown.run();
        teardown.run();
        assertThat(stopped).containsExactly("third", "first");
    }
}
