package io.summarizer.core.receive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.summarizer.core.message.RejectReason;
import java.io.IOException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Envelopes with the fields that independent parsers agree on. */
class SyslogVectorsTest {
    /** An APP-NAME of 49 bytes and a MSGID of 33: above the bounds of RFC 5424, and topics here. */
    private static final Set<String> LONGER_WORDS = Set.of("bad-202", "bad-203");

    private static final long ARRIVAL = micros(Instant.parse("2026-11-20T00:00:00Z"));

    @TestFactory
    List<DynamicTest> envelopesPeelAsOtherParsersSay() throws IOException {
        return SharedData.jsonLines("syslog-vectors/syslog_vectors.jsonl").stream()
                .map(vector -> DynamicTest.dynamicTest(vector.get("id").asText(), () -> check(vector)))
                .toList();
    }

    private static void check(JsonNode vector) {
        Received got = Received.parse(
                Base64.getDecoder().decode(vector.get("input_b64").asText()));
        if (LONGER_WORDS.contains(vector.get("id").asText())) {
            assertThat(got.rejected()).isEqualTo(RejectReason.NONE);
            return;
        }
        if (vector.get("format").asText().equals("invalid")) {
            assertThat(got.rejected()).isEqualTo(RejectReason.ENVELOPE);
            assertThat(got.payload()).isNull();
            return;
        }
        assertThat(got.rejected()).isEqualTo(RejectReason.NONE);
        if (isChecked(vector, "facility")) {
            assertThat(got.facility()).isEqualTo(vector.get("facility").asInt());
        }
        if (isChecked(vector, "severity")) {
            assertThat(got.severity()).isEqualTo(vector.get("severity").asInt());
        }
        if (isChecked(vector, "hostname")) {
            assertThat(got.host()).as("host").isEqualTo(bytes(vector.get("hostname")));
        }
        if (isChecked(vector, "app_name")) {
            assertThat(got.appName()).as("app name").isEqualTo(bytes(vector.get("app_name")));
        }
        if (isChecked(vector, "proc_id")) {
            assertThat(got.procId()).as("proc id").isEqualTo(bytes(vector.get("proc_id")));
        }
        if (isChecked(vector, "msg_id")) {
            assertThat(got.msgId()).as("msg id").isEqualTo(bytes(vector.get("msg_id")));
        }
        if (isChecked(vector, "timestamp")) {
            checkTimestamp(got.timestamp(), vector.get("timestamp"));
        }
        if (isChecked(vector, "structured_data")) {
            checkStructuredData(got.structuredData(), vector.get("structured_data"));
        }
        if (isChecked(vector, "message")) {
            assertThat(got.payload()).as("payload").isEqualTo(payload(vector));
        }
    }

    private static boolean isChecked(JsonNode vector, String field) {
        JsonNode check = vector.get("check");
        if (check == null) {
            return true;
        }
        for (JsonNode name : check) {
            if (name.asText().equals(field)) {
                return true;
            }
        }
        return false;
    }

    private static String payload(JsonNode vector) {
        if (vector.has("message_b64")) {
            return new String(
                    Base64.getDecoder().decode(vector.get("message_b64").asText()), ISO_8859_1);
        }
        String message = bytes(vector.get("message"));
        if (message != null && vector.get("format").asText().equals("rfc5424") && message.startsWith(" ")) {
            message = message.substring(1); // MSG keeps the space of rsyslog's %msg%, the payload does not
        }
        // The vectors leave the cookie in and take the JSON after it for the event.
        return message == null ? "" : vector.has("cee") ? message.replaceFirst("^@cee: *", "") : message;
    }

    private static void checkTimestamp(@Nullable String got, JsonNode expected) {
        if (expected.isNull()) {
            assertThat(got).as("timestamp").isNull();
            return;
        }
        byte[] text = Objects.requireNonNull(got, "timestamp").getBytes(ISO_8859_1);
        String iso = expected.asText();
        LocalDateTime time;
        if (iso.startsWith("--")) {
            time = LocalDateTime.parse("2026" + iso.substring(1));
            if (time.isAfter(LocalDateTime.parse("2026-11-27T00:00:00"))) {
                time = time.minusYears(1);
            }
        } else {
            time = LocalDateTime.parse(iso.replace("Z", ""));
        }
        assertThat(SyslogTime.micros(text, 0, text.length, ZoneOffset.UTC, SyslogTime.NO_YEAR, ARRIVAL))
                .as(got)
                .isEqualTo(micros(time.toInstant(ZoneOffset.UTC)));
    }

    private static void checkStructuredData(@Nullable String got, JsonNode expected) {
        assertThat(got == null).as("structured data absent").isEqualTo(expected.isEmpty());
        if (got == null) {
            return;
        }
        byte[] data = got.getBytes(ISO_8859_1);
        for (Map.Entry<String, JsonNode> element : expected.properties()) {
            assertThat(got).contains("[" + element.getKey());
            for (Map.Entry<String, JsonNode> param : element.getValue().properties()) {
                JsonNode value = param.getValue().isArray() ? param.getValue().get(0) : param.getValue();
                assertThat(StructuredDataTest.find(data, element.getKey(), param.getKey()))
                        .isEqualTo(bytes(value));
            }
        }
    }

    private static @Nullable String bytes(JsonNode text) {
        return text.isNull() ? null : new String(text.asText().getBytes(UTF_8), ISO_8859_1);
    }

    private static long micros(Instant instant) {
        return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
    }
}
