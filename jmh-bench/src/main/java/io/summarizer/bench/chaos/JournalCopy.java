package io.summarizer.bench.chaos;

import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalReader;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A copy of a journal from a sequence on, made before the journal is damaged. For each message, the copy has only the
 * number of the message's event. After the damage, the copy shows which events were in the damaged messages. Immutable
 * once it is made.
 */
final class JournalCopy {
    private static final long NO_EVENT = -1;
    private static final int TRIES = 10;
    private static final Pattern SEQUENCES = Pattern.compile("sequences (\\d+) to (\\d+)");
    private static final Pattern END =
            Pattern.compile("the journal goes on at sequence (\\d+)|messages are missing from sequence (\\d+) on");

    /** The number of each message's event, by the sequence of the message. */
    private final TreeMap<Long, Long> events = new TreeMap<>();

    /**
     * Returns the sequence after the last message of a journal. A service may be releasing segments meanwhile.
     *
     * @param from a sequence that the journal has reached before; the result is never less
     */
    static long end(Path folder, long from) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return endNow(folder, from);
            } catch (NoSuchFileException e) {
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    private static long endNow(Path folder, long from) throws IOException {
        FileDisk disk = new FileDisk(folder);
        List<String> files = Journal.files(disk);
        long end = Math.max(
                from,
                files.isEmpty() ? 0 : Long.parseLong(files.get(files.size() - 1).substring(0, 19)));
        try (JournalReader reader = Journal.inspect(disk, from, false)) {
            JournalReader.Entry entry;
            while ((entry = reader.next()) != JournalReader.Entry.END) {
                if (entry == JournalReader.Entry.MESSAGES) {
                    end = Math.max(end, reader.firstSequence() + reader.count());
                }
            }
        }
        return end;
    }

    /** Reads a journal that no process writes to. */
    static JournalCopy of(Path folder, long from) throws IOException {
        JournalCopy copy = new JournalCopy();
        MessageBatch batch = new MessageBatch(MessageBatch.DEFAULT_BYTES);
        try (JournalReader reader = Journal.inspect(new FileDisk(folder), from, true)) {
            JournalReader.Entry entry;
            while ((entry = reader.next()) != JournalReader.Entry.END) {
                if (entry == JournalReader.Entry.LOST) {
                    throw new ChaosException("the journal is damaged before anybody damaged it: " + reader.lost());
                }
                if (entry == JournalReader.Entry.MESSAGES) {
                    reader.fill(batch);
                    copy.add(batch, from);
                }
            }
        }
        return copy;
    }

    private void add(MessageBatch batch, long from) {
        for (int i = 0; i < batch.count(); i++) {
            if (batch.sequence(i) >= from) {
                events.put(batch.sequence(i), event(batch.message(i)));
            }
        }
    }

    private static long event(IMessage message) {
        String text = new String(
                message.bytes(),
                message.offset(MessageBatch.FRAME),
                message.length(MessageBatch.FRAME),
                StandardCharsets.ISO_8859_1);
        int at = text.indexOf(" numbered.");
        return at < 0
                ? NO_EVENT
                : Long.parseLong(text.substring(text.lastIndexOf(' ') + 1, text.indexOf(',', text.lastIndexOf(' '))));
    }

    /** Number of messages. */
    int size() {
        return events.size();
    }

    /**
     * The losses that a service reported.
     *
     * @param events lost events: no remaining message has them
     * @param between number of missing messages in the middle of the journal, with intact messages before and after
     *     them
     * @param end sequence at which the journal continues after its end was cut off; empty if its end was not cut off
     */
    record Missing(Set<Long> events, long between, OptionalLong end) {}

    /**
     * Parses a service's report about its damaged journal. Messages may be missing in the middle of the journal, and at
     * its end if the journal was cut off.
     */
    Missing missing(String said) {
        Set<Long> sequences = new HashSet<>();
        Matcher ranges = SEQUENCES.matcher(said);
        while (ranges.find()) {
            sequences.addAll(events.subMap(Long.parseLong(ranges.group(1)), true, Long.parseLong(ranges.group(2)), true)
                    .keySet());
        }
        long between = sequences.size();
        OptionalLong end = OptionalLong.empty();
        Matcher ends = END.matcher(said);
        while (ends.find()) {
            end = OptionalLong.of(Long.parseLong(ends.group(1) == null ? ends.group(2) : ends.group(1)));
            sequences.addAll(events.tailMap(end.getAsLong()).keySet());
        }
        Set<Long> lost = new HashSet<>();
        Set<Long> left = new HashSet<>();
        events.forEach((sequence, event) -> (sequences.contains(sequence) ? lost : left).add(event));
        lost.removeAll(left);
        lost.remove(NO_EVENT);
        return new Missing(lost, between, end);
    }
}
