package io.summarizer.core.receive;

import static io.summarizer.core.receive.RelpSession.OFFERS;
import static io.summarizer.core.receive.RelpSession.OPEN;
import static io.summarizer.core.receive.RelpSession.frame;
import static io.summarizer.core.receive.RelpSession.message;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.StreamFramer.Outcome;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelpFramerTest {
    private static final int MAX = 64;
    private static final String RFC5424 = "<134>1 2026-11-20T00:00:00Z h a - ad.click - ";

    /** The events of a session; the same for any reads and batches. */
    private static List<String> events(String session) {
        List<String> whole = events(session, session.length(), session.length(), 1 << 16, true);
        for (boolean parks : new boolean[] {true, false}) {
            for (int first = 1; first < session.length(); first++) {
                assertThat(events(session, first, session.length(), 1 << 16, parks))
                        .as("split at %d", first)
                        .isEqualTo(whole);
            }
            for (int batchBytes : new int[] {1, 16, 100}) {
                for (int reads : new int[] {1, 7, session.length()}) {
                    assertThat(events(session, reads, reads, batchBytes, parks))
                            .as("reads of %d, batches of %d", reads, batchBytes)
                            .isEqualTo(whole);
                }
            }
        }
        return whole;
    }

    private static List<String> events(String session, int first, int rest, int batchBytes, boolean parks) {
        RelpFramer framer = RelpSession.framer(MAX);
        Feed feed = RelpSession.feed(framer, session, first, rest, batchBytes, parks);
        boolean closed = framer.closed();
        int txnr = framer.txnr();
        List<Received> messages = feed.end();
        List<String> events = RelpSession.events(framer, messages);
        assertThat(framer.txnr()).isEqualTo(txnr);
        // The frames taken beyond messages are the opening, or its refusal, and the close.
        assertThat(messages.size()
                        + (framer.opened() || framer.refusal() != null ? 1 : 0)
                        + (framer.closeAsked() ? 1 : 0))
                .isEqualTo(txnr);
        assertThat(closed).isEqualTo(framer.closeAsked() || framer.closeReason() != null);
        return events;
    }

    @Test
    void aSessionIsOpenedBringsMessagesAndIsClosed() {
        assertThat(events(OPEN + message(2, "one") + message(3, "t\nw o") + message(4, "") + frame(5, "close", "")))
                .containsExactly("opened", "one", "t\nw o", "", "close asked");
    }

    @Test
    void messagesArePeeled() {
        RelpFramer framer = RelpSession.framer(MAX);
        String session = OPEN + message(2, RFC5424 + "1,2\n") + message(3, "<13>x: y\r\n") + message(4, "<134>1 bad");
        List<Received> messages = RelpSession.feed(framer, session, session.length(), 1, 1 << 16, true)
                .end();
        assertThat(messages).extracting(Received::payload).containsExactly("1,2", "y", null);
        assertThat(messages).extracting(Received::topic).containsExactly("ad.click", "x", null);
        assertThat(messages)
                .extracting(message -> message.rejected().label())
                .containsExactly("none", "none", "envelope");
    }

    @Test
    void numbersMayHaveLeadingZeroes() {
        assertThat(events("000000001 open " + OFFERS.length() + " " + OFFERS + "\n02 syslog 003 abc\n3 syslog 00\n"))
                .containsExactly("opened", "abc", "");
    }

    @ParameterizedTest
    @CsvSource({
        "3 syslog 1 x, frame 3 where 2 should be",
        "1 syslog 1 x, frame 1 where 2 should be",
        "0 syslog 1 x, frame 0 where 2 should be",
        "999999999 syslog 1 x, frame 999999999 where 2 should be",
        "2 rsp 6 200 OK, a command that was not offered",
        "2 serverclose 0, a command that was not offered",
        "2 SYSLOG 1 x, a command that was not offered",
        "2 abcdefghijklmnopqrstuvwxyzABCDEF 0, a command that was not offered",
        "2 syslogx 1 x, a command that was not offered",
    })
    void aRuleOfTheSessionThatIsBrokenEndsIt(String frame, String reason) {
        assertThat(events(OPEN + frame + "\n" + message(3, "never"))).containsExactly("opened", "broken: " + reason);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " 2 syslog 1 x",
                "x syslog 1 x",
                "-2 syslog 1 x",
                "2\tsyslog 1 x",
                "0000000002 syslog 1 x",
                "2  syslog 1 x",
                "2 sys-log 1 x",
                "2 syslog2 1 x",
                "2 abcdefghijklmnopqrstuvwxyzABCDEFG 0",
                "2 syslog",
                "2 syslog ",
                "2 syslog x",
                "2 syslog -1 x",
                "2 syslog 1\tx",
                "2 syslog 1\nx",
                "2 syslog 0000000001 x",
                "2 syslog 0 ",
                "2 syslog 0\r",
                "2 syslog 1 xy",
                "2 syslog 1 x\r",
                "2 syslog 3 x",
            })
    void whatIsNoFrameEndsTheSession(String frame) {
        List<String> events = events(OPEN + frame + "\n" + "padding so that no frame waits for more\n".repeat(2));
        assertThat(events).hasSize(2).first().isEqualTo("opened");
        assertThat(events.get(1)).startsWith("broken: ");
    }

    @Test
    void aSessionBeginsWithItsOpeningAndHasOne() {
        assertThat(events(message(1, "x"))).containsExactly("broken: a message before the session was opened");
        assertThat(events(OPEN + frame(2, "open", OFFERS)))
                .containsExactly("opened", "broken: the session was opened twice");
        assertThat(events(frame(2, "open", OFFERS))).containsExactly("broken: frame 2 where 1 should be");
        assertThat(events(frame(1, "close", ""))).containsExactly("close asked");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                OFFERS,
                "commands=syslog",
                "commands=other,syslog\nrelp_version=0",
                "relp_version=1\ncommands=syslog",
                "commands=syslog\nno_value\nunknown=a,b\n\n",
            })
    void offersThatWillDoOpenASession(String offers) {
        assertThat(events(frame(1, "open", offers) + message(2, "x"))).containsExactly("opened", "x");
    }

    @ParameterizedTest
    @CsvSource({
        "relp_version=0, the command syslog is required",
        "commands=eventlog, the command syslog is required",
        "commands, the command syslog is required",
        "'', the command syslog is required",
        "'commands=syslog\nrelp_version=x', relp_version is no number",
        "'commands=syslog\nrelp_version=', relp_version is no number",
        "'commands=syslog\nrelp_version', relp_version is no number",
    })
    void offersThatWillNotDoAreRefused(String offers, String refusal) {
        assertThat(events(frame(1, "open", offers) + message(2, "x"))).containsExactly("refused: " + refusal);
    }

    @Test
    void aCommandWithMoreThanOffersIsNotReadToItsEnd() {
        assertThat(events("1 open 4097 " + OFFERS)).containsExactly("broken: a command with more than 4096 bytes");
    }

    @ParameterizedTest
    @ValueSource(ints = {MAX + 1, MAX + 2, 2 * MAX, 1000})
    void aMessageAboveTheBoundIsARejectedOneAmongItsNeighbours(int length) {
        String large = IntStream.range(0, length)
                .mapToObj(i -> "" + (char) ('0' + i % 10))
                .collect(Collectors.joining());
        assertThat(events(OPEN + message(2, "a") + message(3, large) + message(4, large) + message(5, "b")))
                .containsExactly(
                        "opened",
                        "a",
                        "oversize:" + large.substring(0, MAX + 1),
                        "oversize:" + large.substring(0, MAX + 1),
                        "b");
        assertThat(events(OPEN + "2 syslog " + length + " " + large + "x\n"))
                .containsExactly("opened", "broken: no line feed behind a frame's data");
    }

    @Test
    void aMessageAtTheBoundIsTaken() {
        assertThat(events(OPEN + message(2, "x".repeat(MAX)))).containsExactly("opened", "x".repeat(MAX));
    }

    @Test
    void aMessageFarAboveTheBoundTakesNoMoreMemoryThanOneAtIt() {
        RelpFramer framer = RelpSession.framer(1000);
        int length = 100_000_000;
        Feed feed = RelpSession.feed(framer, OPEN + "2 syslog " + length + " ", 1000, 1000, 4096, true);
        byte[] piece = new byte[64 * 1024];
        for (int sent = 0; sent < length; sent += piece.length) {
            feed.read(piece, 0, Math.min(piece.length, length - sent));
            assertThat(framer.parkedLength()).isLessThanOrEqualTo(1000 + 30);
        }
        byte[] next = ("\n" + message(3, "next")).getBytes(ISO_8859_1);
        feed.read(next, 0, next.length);
        assertThat(feed.end()).extracting(Received::frame).containsExactly("\0".repeat(1001), "next");
        assertThat(feed.bytesMax).isLessThanOrEqualTo(4096);
    }

    @Test
    void anUnfinishedFrameAtTheEndIsNothing() {
        String session = OPEN + message(2, "whole");
        String cut = session + "3 syslog 10 0123456789";
        for (int end = session.length(); end <= cut.length(); end++) {
            assertThat(events(cut.substring(0, end))).containsExactly("opened", "whole");
        }
    }

    @Test
    void behindTheCloseNothingIsTaken() {
        assertThat(events(OPEN + frame(2, "close", "") + message(3, "x") + "rubbish"))
                .containsExactly("opened", "close asked");
    }

    @Test
    void aSessionEndsBeforeItsNumbersDo() {
        RelpFramer framer = new RelpFramer(MAX, new EnvelopeParser(TopicRule.MSGID), 4);
        Feed feed = RelpSession.feed(
                framer, OPEN + message(2, "a") + message(3, "b") + message(4, "c") + message(5, "d"), 10, 10, 50, true);
        assertThat(framer.closed()).isTrue();
        assertThat(framer.closeAsked()).isFalse();
        assertThat(framer.closeReason()).isNull();
        assertThat(framer.txnr()).isEqualTo(4);
        assertThat(feed.end()).extracting(Received::frame).containsExactly("a", "b", "c");
    }

    @Test
    void aBatchHasABoundOnItsMessages() {
        int messages = 10_000;
        String session = OPEN
                + IntStream.range(0, messages).mapToObj(i -> message(i + 2, "")).collect(Collectors.joining());
        byte[] bytes = session.getBytes(ISO_8859_1);
        MessageBatch batch = new MessageBatch(bytes.length);
        RelpFramer framer = RelpSession.framer(MAX);
        framer.begin(batch);
        System.arraycopy(bytes, 0, batch.bytes(), 0, bytes.length);
        batch.limit(bytes.length);
        int taken = 0;
        while (framer.frame(batch) == Outcome.FULL) {
            assertThat(batch.count()).isEqualTo(StreamFramer.MESSAGES_MAX);
            taken += batch.count();
            batch = framer.carryOver(batch, new MessageBatch(bytes.length));
        }
        assertThat(taken + batch.count()).isEqualTo(messages);
        assertThat(framer.txnr()).isEqualTo(messages + 1);
    }
}
