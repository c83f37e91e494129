package io.summarizer.core.receive;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.RejectReason;
import java.io.IOException;
import java.nio.file.Files;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeParserTest {
    private static final String BOM = "\u00ef\u00bb\u00bf";

    @Test
    void peelsAReferenceMessage() {
        Received got = Received.parse(
                "<134>1 2026-11-20T00:00:00.000000Z web03 adserver 4711 ad.click [ev@32473 id=\"7\"] 1,2,3");
        assertThat(got.rejected()).isEqualTo(RejectReason.NONE);
        assertThat(got.facility()).isEqualTo(16);
        assertThat(got.severity()).isEqualTo(6);
        assertThat(got.timestamp()).isEqualTo("2026-11-20T00:00:00.000000Z");
        assertThat(got.host()).isEqualTo("web03");
        assertThat(got.appName()).isEqualTo("adserver");
        assertThat(got.procId()).isEqualTo("4711");
        assertThat(got.msgId()).isEqualTo("ad.click");
        assertThat(got.structuredData()).isEqualTo("[ev@32473 id=\"7\"]");
        assertThat(got.payload()).isEqualTo("1,2,3");
        assertThat(got.topic()).isEqualTo("ad.click");
    }

    @Test
    void leavesNilValuesAbsent() {
        Received got = Received.parse("<0>1 - - - - - -");
        assertThat(got.rejected()).isEqualTo(RejectReason.NONE);
        assertThat(got.timestamp()).isNull();
        assertThat(got.host()).isNull();
        assertThat(got.appName()).isNull();
        assertThat(got.procId()).isNull();
        assertThat(got.msgId()).isNull();
        assertThat(got.structuredData()).isNull();
        assertThat(got.topic()).isNull();
        assertThat(got.payload()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "MSGID_OR_APP_NAME, app, id, id",
        "MSGID_OR_APP_NAME, app, -, app",
        "MSGID, app, id, id",
        "MSGID, app, -,",
        "APP_NAME, app, id, app",
        "APP_NAME, -, id,",
        "MSGID_OR_APP_NAME, -, -,",
    })
    void takesTheTopicByItsRule(TopicRule rule, String app, String id, String topic) {
        byte[] text = ("<13>1 - - " + app + " - " + id + " - x").getBytes(ISO_8859_1);
        assertThat(Received.parse(text, rule).topic()).isEqualTo(topic);
    }

    @Test
    void takesTopicsOfUpTo255Bytes() {
        String longest = "a.".repeat(127) + "b";
        Received byId = Received.parse("<13>1 - h app p " + longest + " - x");
        assertThat(byId.rejected()).isEqualTo(RejectReason.NONE);
        assertThat(byId.topic()).isEqualTo(longest).isEqualTo(byId.msgId());
        assertThat(Received.parse("<13>1 - h " + longest + " p - - x").topic()).isEqualTo(longest);
        assertThat(Received.parse("<13>Nov 20 00:00:00 h " + longest + "[7]: x").topic())
                .isEqualTo(longest);
        assertThat(Received.parse("<13>" + longest + ": x").topic()).isEqualTo(longest);
    }

    @Test
    void rejectsALongerMsgIdOrAppName() {
        String tooLong = "a.".repeat(128);
        assertThat(Received.parse("<13>1 - h app p " + tooLong + " - x").rejected())
                .isEqualTo(RejectReason.ENVELOPE);
        assertThat(Received.parse("<13>1 - h " + tooLong + " p id - x").rejected())
                .isEqualTo(RejectReason.ENVELOPE);
    }

    @Test
    void takesALongerTagForContent() {
        String tooLong = "a.".repeat(128);
        for (String text : List.of(tooLong + "[7]: x", tooLong + ": x", tooLong)) {
            Received got = Received.parse("<13>Nov 20 00:00:00 h " + text);
            assertThat(got.topic()).isNull();
            assertThat(got.appName()).isNull();
            assertThat(got.procId()).isNull();
            assertThat(got.host()).isEqualTo("h");
            assertThat(got.payload()).isEqualTo(text);
            assertThat(Received.parse(text).payload()).isEqualTo(text);
        }
    }

    @Test
    void takesTimesWithMoreDigitsThanMicroseconds() {
        Received got = Received.parse("<13>1 2026-11-20T00:00:00.123456789012+01:00 h app p id - x");
        assertThat(got.rejected()).isEqualTo(RejectReason.NONE);
        assertThat(got.timestamp()).isEqualTo("2026-11-20T00:00:00.123456789012+01:00");
        assertThat(got.topic()).isEqualTo("id");
    }

    @Test
    void takesTheTagAsTheTopicOfRfc3164() {
        byte[] text = "<13>Nov 20 00:00:00 host ad.click[1]: x".getBytes(ISO_8859_1);
        assertThat(Received.parse(text, TopicRule.MSGID_OR_APP_NAME).topic()).isEqualTo("ad.click");
        assertThat(Received.parse(text, TopicRule.APP_NAME).topic()).isEqualTo("ad.click");
        assertThat(Received.parse(text, TopicRule.MSGID).topic()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<192>1 - - - - - -",
                "<013>1 - - - - - -",
                "<13>1 ",
                "<13>1 -",
                "<13>1 - - - - -",
                "<13>1 - - - - - ",
                "<13>1 - - - - - x",
                "<13>1 - - - - - -x",
                "<13>1 -  - - - -",
                "<13>1 - h\u00e9 - - - -",
                "<13>1 - h\n - - - - x y",
                "<13>1 - h\u007f - - - - x y",
                "<13>1 - - - - - []",
                "<13>1 - - - - - [a]x",
                "<13>1 - - - - - [a x=\"1\"",
                "<13>1 - - - - - [a x=\"1",
                "<13>1 - - - - - [a x",
                "<13>1 - - - - - [",
                "<13>1 2026-11-20T00:00:00.Z - - - - -",
                "<13>1 2026-11-20T00:00:00 - - - - -",
                "<13>1 today - - - - -",
            })
    void rejectsWhatSaysRfc5424AndIsNot(String text) {
        Received got = Received.parse(text);
        assertThat(got.rejected()).isEqualTo(RejectReason.ENVELOPE);
        assertThat(got.frame()).isEqualTo(text);
        assertThat(new Object[] {
                    got.timestamp(),
                    got.host(),
                    got.appName(),
                    got.procId(),
                    got.msgId(),
                    got.structuredData(),
                    got.payload(),
                    got.topic()
                })
                .containsOnlyNulls();
    }

    @Test
    void leavesOutTheOneSpaceThatRsyslogPutsBeforeTheMessage() {
        assertThat(Received.parse("<13>1 - - - - - -  text").payload()).isEqualTo("text");
        assertThat(Received.parse("<13>1 - - - - - -   text").payload()).isEqualTo(" text");
        assertThat(Received.parse("<13>1 - - - - - - text").payload()).isEqualTo("text");
        assertThat(Received.parse("<13>Nov 20 00:00:00 h t: text").payload()).isEqualTo("text");
        assertThat(Received.parse("<13>Nov 20 00:00:00 h t:  text").payload()).isEqualTo(" text");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "`@cee:{\"a\":1}`|`{\"a\":1}`",
                "` @cee:  {\"a\":1}`|`{\"a\":1}`",
                "`@cee: text`|`@cee: text`",
                "`@cee:`|`@cee:`",
                "`@CEE: {}`|`@CEE: {}`",
                "`{}`|`{}`",
            })
    void stripsTheCeeCookieBeforeJsonOnly(String message, String payload) {
        assertThat(Received.parse("<13>1 - - - - - - " + message).payload()).isEqualTo(payload);
        assertThat(Received.parse("<13>1 - - - - - - " + BOM + message).payload())
                .isEqualTo(payload);
        assertThat(Received.parse("<13>Nov 20 00:00:00 h t: " + message).payload())
                .isEqualTo(payload);
    }

    @Test
    void readsTheTemplatesOfRsyslog() {
        List<String> lines = List.of(
                "<134>Nov 20 00:00:00 web03 ad.click[4711]: 1,2,3", // RSYSLOG_TraditionalForwardFormat
                "<134>2026-11-20T00:00:00.000000+00:00 web03 ad.click[4711]: 1,2,3", // RSYSLOG_ForwardFormat
                "Nov 20 00:00:00 web03 ad.click[4711]: 1,2,3", // RSYSLOG_TraditionalFileFormat
                "2026-11-20T00:00:00.000000+00:00 web03 ad.click[4711]: 1,2,3"); // RSYSLOG_FileFormat
        for (String line : lines) {
            Received got = Received.parse(line);
            assertThat(got.host()).as(line).isEqualTo("web03");
            assertThat(got.appName()).as(line).isEqualTo("ad.click");
            assertThat(got.procId()).as(line).isEqualTo("4711");
            assertThat(got.payload()).as(line).isEqualTo("1,2,3");
            byte[] time = String.valueOf(got.timestamp()).getBytes(ISO_8859_1);
            assertThat(SyslogTime.micros(
                            time, 0, time.length, ZoneOffset.UTC, SyslogTime.NO_YEAR, 1_795_132_800_000_000L))
                    .isEqualTo(1_795_132_800_000_000L);
        }
        // RSYSLOG_SyslogProtocol23Format of a message that came in the old format: %msg% starts with a space.
        assertThat(Received.parse("<134>1 2026-11-20T00:00:00.000000+00:00 web03 ad.click 4711 - -  @cee: {\"a\":1}")
                        .payload())
                .isEqualTo("{\"a\":1}");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            nullValues = "null",
            value = {
                "`<13>Nov 20 00:00:00 host tag:text`|host|tag|null|text",
                "`<13>Nov 20 00:00:00 host tag[]: text`|host|tag|null|text",
                "`<13>Nov 20 00:00:00 host a[b]c: text`|host|a[b]c|null|text",
                "`<13>Nov 20 00:00:00 host [text] more`|host|null|null|[text] more",
                "`<13>Nov 20 00:00:00 host {\"a\":1}`|host|null|null|{\"a\":1}",
                "`<13>Nov 20 00:00:00 {\"a\": 1}`|null|null|null|{\"a\": 1}",
                "`<13>Nov 20 00:00:00 @cee: {\"a\": 1}`|null|null|null|{\"a\": 1}",
                "`<13>Nov 20 00:00:00 host  text more`|host|null|null|text more",
                "`<13>Nov 20 00:00:00 fe80::1 tag: text`|fe80::1|tag|null|text",
                "`<13>tag: text`|null|tag|null|text",
                "`<13>tag[7] text`|null|tag|7|text",
                "`<13>two words: text`|null|null|null|two words: text",
                "`<13>http://a/b`|null|null|null|http://a/b",
                "`<13>{\"a\":1}`|null|null|null|{\"a\":1}",
                "`<13>`|null|null|null|``",
                "`<999>text`|null|null|null|<999>text",
                "`<1x>text`|null|null|null|<1x>text",
                "`1,2,3`|null|null|null|1,2,3",
                "`1,error: disk full,3`|null|null|null|1,error: disk full,3",
                "`tag[7] text`|null|null|null|tag[7] text",
                "`<13>Nov 20 00:00:00 2026 host tag: text`|host|tag|null|text",
                "`<13>Nov 20 00:00:00 1001 tag: text`|1001|tag|null|text",
                "` <13>tag: text`|null|tag|null|text",
                "`127.0.0.1 - - [20/Nov/2026:00:00:00 +0000] \"GET /\"`|null|null|null|`127.0.0.1 - - [20/Nov/2026:00:00:00 +0000] \"GET /\"`",
            })
    void takesRfc3164AsItComes(String text, String host, String appName, String procId, String payload) {
        Received got = Received.parse(text);
        assertThat(got.rejected()).isEqualTo(RejectReason.NONE);
        assertThat(got.host()).isEqualTo(host);
        assertThat(got.appName()).isEqualTo(appName);
        assertThat(got.procId()).isEqualTo(procId);
        assertThat(got.payload()).isEqualTo(payload);
    }

    @Test
    void readsARunOfBracketsInLinearTime() {
        Received got = Received.parse("<13>Nov 20 00:00:00 host " + "a[".repeat(500_000));
        assertThat(got.payload()).hasSize(1_000_000);
    }

    @Test
    void readsAServersAuthLog() throws IOException {
        int lines = 0;
        int sshd = 0;
        for (String line : Files.readAllLines(SharedData.file("syslog-auth/auth.log"), ISO_8859_1)) {
            Received got = Received.parse(line);
            assertThat(got.host()).as(line).isEqualTo("ip-10-77-20-248");
            assertThat(got.timestamp()).as(line).hasSize(15);
            assertThat(got.appName()).as(line).isNotNull();
            lines++;
            sshd += "sshd".equals(got.appName()) ? 1 : 0;
        }
        assertThat(lines).isEqualTo(7_121);
        assertThat(sshd).isEqualTo(4_095);
    }

    @Test
    void readsRecordedRfc5424WithCookies() throws IOException {
        int cookies = 0;
        int lines = 0;
        for (String line : Files.readAllLines(SharedData.file("zeek-syslog/syslog-rfc5424.log"), ISO_8859_1)) {
            Received got = Received.parse(line);
            assertThat(got.rejected()).as(line).isEqualTo(RejectReason.NONE);
            assertThat(got.topic()).as(line).isEqualTo("EvntSLog");
            lines++;
            cookies += line.contains("@cee: {") && String.valueOf(got.payload()).startsWith("{\"source\"") ? 1 : 0;
        }
        assertThat(lines).isEqualTo(2_378);
        assertThat(cookies).isEqualTo(290);
    }
}
