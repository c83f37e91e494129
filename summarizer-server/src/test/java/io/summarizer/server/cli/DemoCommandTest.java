package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DemoCommandTest {
    private static final String HOME = "summarizer.home";

    @Test
    void theDemoShowsTheTopCampaignsAndLeavesNothingBehind() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        String before = System.getProperty(HOME);
        System.setProperty(HOME, ProjectHome.path().toString());
        try {
            assertThat(Main.run(Terminal.of(out, err), Map.of(), "demo", "--exit"))
                    .as(err.toString(StandardCharsets.UTF_8))
                    .isZero();
        } finally {
            if (before == null) {
                System.clearProperty(HOME);
            } else {
                System.setProperty(HOME, before);
            }
        }
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("200,000 events")
                .containsPattern("campaign +impressions +distinct users")
                .contains("/summaries/CampaignDetails/interactions.csv")
                .contains("Try next");
        try (var folders = Files.newDirectoryStream(
                Path.of(System.getProperty("java.io.tmpdir")),
                "summarizer-demo-" + ProcessHandle.current().pid() + "-*")) {
            assertThat(folders).isEmpty();
        }
    }
}
