package io.summarizer.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
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
        assertPictured(out.toString(StandardCharsets.UTF_8));
        try (var folders = Files.newDirectoryStream(
                Path.of(System.getProperty("java.io.tmpdir")),
                "summarizer-demo-" + ProcessHandle.current().pid() + "-*")) {
            assertThat(folders).isEmpty();
        }
    }

    /** The picture in README shows what the demo prints, except ports, times, and an rsyslogd that may be missing. */
    private static void assertPictured(String printed) throws IOException {
        String picture = Files.readString(ProjectHome.path().resolve("docs/images/demo.svg"));
        List<String> lines = Pattern.compile("<text x=\"20\"[^>]*>([^<]*)</text>")
                .matcher(picture)
                .results()
                .map(line -> line.group(1).strip())
                .filter(line -> !line.startsWith("$") && !line.startsWith("rsyslogd") && !line.startsWith("traffic"))
                .map(DemoCommandTest::withoutPorts)
                .toList();
        assertThat(lines)
                .hasSizeGreaterThan(15)
                .allSatisfy(line -> assertThat(withoutPorts(printed)).contains(line));
    }

    private static String withoutPorts(String text) {
        return text.replaceAll(":\\d{4,5}\\b", ":PORT");
    }
}
