package io.summarizer.server.service;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.text.ControlCharacters;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * Samples the first discarded messages: counts the topics that have no event type, and the reasons for rejections. The
 * sample has at most {@value #SAMPLE} messages; this bound limits its cost and its memory. Also keeps the first
 * rejected message of each reason, even when this message comes after the sample. Passes all messages on to another
 * sink. Any thread.
 */
final class DiscardSample implements RejectSink {
    /** Maximum number of messages read. */
    static final int SAMPLE = 10_000;

    private static final int CHARS_MAX = 120;

    private final RejectSink next;
    private final AtomicInteger seen = new AtomicInteger();
    private final Map<String, Integer> topics = new HashMap<>();
    private final Map<String, Integer> refusals = new HashMap<>();
    /** The first rejected message of each reason, by its ordinal. */
    private final AtomicReferenceArray<String> examples = new AtomicReferenceArray<>(RejectReason.values().length);

    DiscardSample(RejectSink next) {
        this.next = next;
    }

    @Override
    public void reject(IMessage message, RejectReason reason, String detail) {
        String described = RejectNotices.fault(message, detail);
        if (isWanted()) {
            count(fault(reason, detail), refusals);
        }
        if (examples.get(reason.ordinal()) == null) {
            String example = shown(RejectNotices.notice(message, fault(reason, described)));
            examples.compareAndSet(reason.ordinal(), null, example);
        }
        next.reject(message, reason, described);
    }

    @Override
    public boolean keepsLate() {
        return next.keepsLate();
    }

    @Override
    public void late(String summary, long window, IMessage message) {
        next.late(summary, window, message);
    }

    @Override
    public void unmatched(IMessage message) {
        if (isWanted()) {
            int length = Math.max(0, message.length(MessageBatch.TOPIC));
            String topic = length == 0
                    ? ""
                    : new String(message.bytes(), message.offset(MessageBatch.TOPIC), length, StandardCharsets.UTF_8);
            count(topic, topics);
        }
        next.unmatched(message);
    }

    private static String fault(RejectReason reason, String detail) {
        return detail.equals(reason.label()) ? detail : reason.label() + ": " + detail;
    }

    private boolean isWanted() {
        return seen.get() < SAMPLE && seen.getAndIncrement() < SAMPLE;
    }

    /** Replaces control characters, because text from the wire must not control a terminal. */
    private static String shown(String text) {
        return ControlCharacters.replaced(text, "\uFFFD");
    }

    private static void count(String text, Map<String, Integer> counts) {
        String shown = shown(text.length() <= CHARS_MAX ? text : text.substring(0, CHARS_MAX) + "...");
        synchronized (counts) {
            counts.merge(shown, 1, Integer::sum);
        }
    }

    /** Topics, the most frequent first. Messages without a topic are counted under the empty topic. */
    List<FileRun.Common> topics() {
        return sorted(topics);
    }

    /** Reasons of rejections, the most frequent first. */
    List<FileRun.Common> refusals() {
        return sorted(refusals);
    }

    /** Descriptions of the first rejected message of each reason: its fault, topic and beginning. */
    List<String> examples() {
        return IntStream.range(0, examples.length())
                .mapToObj(examples::get)
                .filter(Objects::nonNull)
                .toList();
    }

    private static List<FileRun.Common> sorted(Map<String, Integer> counts) {
        synchronized (counts) {
            return counts.entrySet().stream()
                    .map(entry -> new FileRun.Common(entry.getKey(), entry.getValue()))
                    .sorted(Comparator.comparingLong(FileRun.Common::count)
                            .reversed()
                            .thenComparing(FileRun.Common::what))
                    .toList();
        }
    }
}
