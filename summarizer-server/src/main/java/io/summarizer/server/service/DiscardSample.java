package io.summarizer.server.service;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.reject.RejectSink;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the first messages that were discarded have in common: the topics that no event type took, and why others were
 * refused. Hands all on to another sink. It looks at {@value #SAMPLE} messages at most, whatever comes: its cost and its
 * memory have that bound. Any thread.
 */
final class DiscardSample implements RejectSink {
    /** Messages looked at. */
    static final int SAMPLE = 10_000;

    private static final int CHARS_MAX = 120;

    private final RejectSink next;
    private final AtomicInteger seen = new AtomicInteger();
    private final Map<String, Integer> topics = new HashMap<>();
    private final Map<String, Integer> refusals = new HashMap<>();

    DiscardSample(RejectSink next) {
        this.next = next;
    }

    @Override
    public void reject(IMessage message, RejectReason reason, String detail) {
        if (isWanted()) {
            count(detail.equals(reason.label()) ? detail : reason.label() + ": " + detail, refusals);
        }
        next.reject(message, reason, detail);
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

    private boolean isWanted() {
        return seen.get() < SAMPLE && seen.getAndIncrement() < SAMPLE;
    }

    /** What is from the wire must not steer a terminal. */
    private static void count(String text, Map<String, Integer> counts) {
        String shown = (text.length() <= CHARS_MAX ? text : text.substring(0, CHARS_MAX) + "...")
                .replaceAll("\\p{Cntrl}", "\uFFFD");
        synchronized (counts) {
            counts.merge(shown, 1, Integer::sum);
        }
    }

    /** The most common first; a message without a topic has the empty one. */
    List<FileRun.Common> topics() {
        return sorted(topics);
    }

    /** The most common first. */
    List<FileRun.Common> refusals() {
        return sorted(refusals);
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
