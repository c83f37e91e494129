package io.summarizer.server.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.replay.RelpTarget;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimezonesEndToEndTest {
    private static final byte[] MESSAGE =
            "<134>1 2026-11-20T00:00:00Z h a - t - 2026-11-20T12:00:00".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    @Test
    void eachListenerHasAZoneOfItsOwn() throws Exception {
        Path definitions = Files.createDirectory(folder.resolve("definitions"));
        Files.writeString(definitions.resolve("t.proto"), "syntax = \"proto3\"; message T { string time = 1; }");
        Files.writeString(definitions.resolve("t.summ"), """
                import "t.proto";
                event T on "t" as csv;
                summary S { key { timestamp at = 1; } value { count n = 1; } }
                map T into S { key { at = timestamp(time); } n += 1; }
                """);
        try (RunningService service = RunningService.start(
                definitions,
                folder.resolve("data"),
                "listen.relp.timezone=+02:00",
                "listen.syslog-udp.bind=127.0.0.1:0",
                "listen.syslog-udp.timezone=-01:00")) {
            service.send(MESSAGE);
            try (RelpTarget target = RelpTarget.connect(service.relp())) {
                target.send(MESSAGE, 0, MESSAGE.length);
                target.finish();
            }
            try (DatagramSocket socket = new DatagramSocket()) {
                socket.send(new DatagramPacket(MESSAGE, MESSAGE.length, service.udp()));
            }
            service.awaitReceived(3);
            assertThat(service.pull("S", null).csv().lines())
                    .containsExactlyInAnyOrder(
                            "at,n",
                            "2026-11-20T12:00:00.000000Z,1",
                            "2026-11-20T10:00:00.000000Z,1",
                            "2026-11-20T13:00:00.000000Z,1");
        }
    }
}
