package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.summarizer.core.message.RejectReason;
import io.summarizer.server.cli.Commands;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Messages that one service rejected or could not match, sent again to another one as people would, are kept there byte
 * for byte.
 */
class ReplayRejectsEndToEndTest {
    private static final int MESSAGE_BYTES_MAX = 4096;
    private static final String[] SETTINGS = {
        "listen.syslog-tcp.max-message-size=" + MESSAGE_BYTES_MAX + "B", "unmatched=keep"
    };

    private static final String HEADER = "<134>1 2026-11-20T00:00:00Z h a - ";

    /** The bytes of each connection; all bytes after the first broken count would be lost. */
    private static final List<String> CONNECTIONS = List.of(
            HEADER + "ad.impression - 0,x,2,3,4,5,0.5,0.25\n"
                    + counted(HEADER + "ad.impression - 0,\"1\n2\",2,3,4,5,0.5,0.25"),
            "<134>1 2026-11-20T00:00:00Z h\n<999>x\n" + counted("<134>1 - h\n"),
            HEADER
                    + "no.such - x\nhello\nzebra crossing\nOct 11 22:14:15 h t: x\n200 monkeys\n75\n7 \nends in CR\r\r\n",
            HEADER + "x".repeat(MESSAGE_BYTES_MAX) + "\n" + "y".repeat(5000) + "\nz" + "y".repeat(5000) + "\n",
            HEADER + "x".repeat(MESSAGE_BYTES_MAX - HEADER.length()) + "\rnot the end\n"
                    + counted(compressed("x".repeat(5000))),
            counted("zgarbage") + counted("zx\u009cgarbage"),
            "200 <134>1 cut off",
            "0 <134>1 no count",
            "5000 <134>1 too much");

    @TempDir
    Path folder;

    @Test
    void everythingArrivesAgainAsItWas() throws Exception {
        try (RunningService first = RunningService.withAds(folder.resolve("first"), SETTINGS)) {
            for (String bytes : CONNECTIONS) {
                first.send(bytes.getBytes(ISO_8859_1));
            }
        } // Closing processes all messages.
        try (RunningService second = RunningService.withAds(folder.resolve("second"), SETTINGS)) {
            for (String reason : reasons()) {
                for (Path file : RejectFiles.of(rejects("first"), reason)) {
                    Commands.Outcome outcome = Commands.run(
                            "replay",
                            file.toString(),
                            "--to",
                            "tcp://127.0.0.1:" + second.syslog().getPort());
                    assertThat(outcome.exit()).as(outcome.err()).isZero();
                }
            }
        }
        for (String reason : reasons()) {
            assertThat(RejectFiles.frames(rejects("first"), reason)).as(reason).isNotEmpty();
            assertThat(RejectFiles.frames(rejects("second"), reason))
                    .as(reason)
                    .isEqualTo(RejectFiles.frames(rejects("first"), reason));
        }
    }

    /** The commands of docs/operate/rejected.md. */
    @Test
    void mendedMessagesGoBackFromStandardInput() throws Exception {
        assumeTrue(
                Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "jq"))),
                "jq is not installed");
        try (RunningService first = RunningService.withAds(folder.resolve("first"), SETTINGS)) {
            first.send((HEADER + "ad.impression - 0,n/a,2,3,4,5,0.5,0.25\n" + counted(HEADER + "x - \u00ff"))
                    .getBytes(ISO_8859_1));
        }
        Commands.Outcome printed = Commands.run("rejects", rejects("first").toString());
        assertThat(printed.exit()).isZero();
        assertThat(printed.out().lines()).hasSize(2);
        assertThat(printed.out().lines().findFirst().orElseThrow())
                .startsWith("{\"reason\":\"payload\",\"time\":\"20")
                .contains("\"topic\":\"ad.impression\",\"detail\":\"")
                .endsWith("\"message\":\"" + HEADER + "ad.impression - 0,n/a,2,3,4,5,0.5,0.25\"}");
        assertThat(printed.out()).contains("{\"reason\":\"unmatched\",").contains("\"base64\":\"");

        Path file = Files.writeString(folder.resolve("rejects.jsonl"), printed.out());
        Process jq = new ProcessBuilder(
                        "jq", "-c", "select(.reason == \"payload\") | .message |= sub(\"n/a\"; \"1\")", file.toString())
                .start();
        byte[] mended = jq.getInputStream().readAllBytes();
        assertThat(jq.waitFor()).isZero();
        InputStream before = System.in;
        try (RunningService second = RunningService.withAds(folder.resolve("second"), SETTINGS)) {
            System.setIn(new ByteArrayInputStream(mended));
            Commands.Outcome sent = Commands.run(
                    "replay",
                    "-",
                    "--format",
                    "jsonl",
                    "--to",
                    "relp://127.0.0.1:" + second.relp().getPort());
            assertThat(sent.exit()).as(sent.err()).isZero();
            assertThat(sent.err()).startsWith("sent 1 message");
            second.awaitReceived(1);
            assertThat(second.rejected()).isEmpty();
            assertThat(second.metric("summarizer_updates_total{summary=\"CampaignDetails\"}"))
                    .isEqualTo(1);
        } finally {
            System.setIn(before);
        }
    }

    private Path rejects(String name) {
        return folder.resolve(name).resolve("rejects");
    }

    /** All reasons with kept bytes: updates that a full summary refused are only counted. */
    private static List<String> reasons() {
        List<String> reasons = new ArrayList<>(Stream.of(RejectReason.values())
                .filter(reason -> reason != RejectReason.NONE && reason != RejectReason.LIMIT)
                .map(RejectReason::label)
                .toList());
        reasons.add("unmatched");
        return reasons;
    }

    private static String counted(String message) {
        return message.length() + " " + message;
    }

    private static String compressed(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(bytes)) {
            deflater.write(text.getBytes(ISO_8859_1));
        } catch (IOException e) {
            throw new AssertionError("bytes in memory", e);
        }
        return "z" + bytes.toString(ISO_8859_1);
    }
}
