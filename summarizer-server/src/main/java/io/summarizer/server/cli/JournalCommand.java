package io.summarizer.server.cli;

import io.summarizer.core.disk.Disk;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.journal.Control;
import io.summarizer.core.journal.Journal;
import io.summarizer.core.journal.JournalReader;
import io.summarizer.core.journal.JournalReader.Entry;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.text.TimestampText;
import io.summarizer.server.replay.FrameFormat;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code journal}: shows the journal of a data folder. The subcommands change no file, and they may read the folder of
 * a running service.
 */
@Command(
        name = "journal",
        description = {
            "Lists, checks or prints the journal.",
            "The journal holds acknowledged messages until a checkpoint covers them. The commands change nothing. The folder may be in use by a running service."
        },
        subcommands = {JournalCommand.Ls.class, JournalCommand.Verify.class, JournalCommand.Cat.class})
final class JournalCommand {
    /** Common parts of the three subcommands. */
    private abstract static class Reading extends Subcommand {
        @Parameters(
                index = "0",
                arity = "0..1",
                paramLabel = "DATA",
                description =
                        "The data folder: the value of the key data in the configuration. Default: data/ beside bin/.")
        private @Nullable Path data;

        final Disk disk() throws CommandFailure {
            Path folder = (data == null ? HomeFolder.path().resolve("data") : data).resolve("journal");
            if (!Files.exists(folder) && !Files.notExists(folder)) {
                throw new CommandFailure(folder + ": this user may not read it");
            }
            if (!Files.isDirectory(folder)) {
                throw new CommandFailure("there is no journal: " + folder
                        + " is not a folder; give the data folder, the value of the key data in the configuration");
            }
            return new FileDisk(folder);
        }

        /** Passes entries to {@code step} until {@code step} returns false. Also reports lost messages. */
        final void read(Disk disk, long from, boolean whole, Step step) throws IOException {
            try (JournalReader reader = Journal.inspect(disk, from, whole)) {
                Entry entry = reader.next();
                while (entry != Entry.END && step.take(entry, reader)) {
                    if (entry == Entry.LOST) {
                        terminal.err().println(reader.lost());
                    }
                    entry = reader.next();
                }
            }
        }

        /** Takes the reader's present entry; returns whether more entries are wanted. */
        @FunctionalInterface
        interface Step {
            boolean take(Entry entry, JournalReader reader) throws IOException;
        }
    }

    /** Messages and bytes of one segment, or of all segments. */
    private static final class Sum {
        long first = -1;
        long firstStamp;
        long end;
        long records;
        long messages;
        long controls;
        long stored;
        long plain;
        long lostPlaces;
        long lost;
        final KafkaSpans ranges = new KafkaSpans();

        void add(Entry entry, JournalReader reader) throws IOException {
            switch (entry) {
                case MESSAGES -> add(reader);
                case RANGE -> {
                    ranges.add(reader.range());
                    add(reader);
                }
                case CONTROL -> controls++;
                case LOST -> {
                    lostPlaces++;
                    lost += reader.lost().messages();
                }
                case END -> {}
            }
        }

        private void add(JournalReader reader) {
            if (records == 0) {
                first = reader.firstSequence();
                firstStamp = reader.firstStamp();
            }
            end = reader.firstSequence() + reader.count();
            records++;
            messages += reader.count();
            stored += reader.storedBytes();
            plain += reader.plainBytes();
        }

        Answer answer(@Nullable String file) {
            boolean none = messages == 0;
            return new Answer(
                    file,
                    none ? null : first,
                    none ? null : end,
                    none ? null : TimestampText.toString(firstStamp),
                    messages,
                    records,
                    controls,
                    stored,
                    plain,
                    ranges.spans());
        }

        /**
         * The effect of compression, in words. The data may become larger when records have few messages, because each
         * record has a header.
         */
        private String sizeRatio() {
            double ratio = (double) plain / Math.max(1, stored);
            return ratio < 1
                    ? String.format(Locale.ROOT, ", %.1f times larger", 1 / ratio)
                    : String.format(Locale.ROOT, ", %.1f times smaller", ratio);
        }

        String text() {
            return messageText() + ranges.text();
        }

        private String messageText() {
            if (messages == 0) {
                return Units.count(controls, "control") + ", no messages";
            }
            return "messages " + first + " to " + (end - 1) + ", from " + TimestampText.toString(firstStamp) + " on; "
                    + Units.count(messages, "message") + " in " + Units.count(records, "record") + ", "
                    + Units.bytes(stored)
                    + sizeRatio()
                    + (controls == 0 ? "" : ", " + Units.count(controls, "control"));
        }
    }

    /**
     * A segment as JSON, or the total of all segments.
     *
     * @param file the segment's file; null for the total
     * @param first sequence of the first message; null when there is no message
     * @param end sequence after the last message
     * @param since arrival time of the first message
     * @param kafka the Kafka records among the messages
     */
    record Answer(
            @Nullable String file,
            @Nullable Long first,
            @Nullable Long end,
            @Nullable String since,
            long messages,
            long records,
            long controls,
            long bytes,
            long plainBytes,
            List<KafkaSpans.Span> kafka) {}

    /**
     * The answer of {@code verify} as JSON.
     *
     * @param unreadable number of unreadable places, which held {@code missing} messages
     */
    record Verified(Answer journal, long unreadable, long missing) {}

    /** {@code journal ls}: lists the segments. */
    @Command(
            name = "ls",
            description = "Lists the files of the journal and their contents. Reads the headers of records only.")
    static final class Ls extends Reading {
        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() throws IOException, CommandFailure {
            Disk disk = disk();
            Map<String, Sum> sums = new LinkedHashMap<>();
            Journal.files(disk).forEach(file -> sums.put(file, new Sum()));
            read(disk, 0, false, (entry, reader) -> {
                sums.computeIfAbsent(reader.file(), file -> new Sum()).add(entry, reader);
                return true;
            });
            if (json.isGiven()) {
                JsonOption.print(
                        sums.entrySet().stream()
                                .map(sum -> sum.getValue().answer(sum.getKey()))
                                .toList(),
                        terminal);
                return Exit.OK;
            }
            sums.forEach((file, sum) -> terminal.out().println(file + ": " + sum.text()));
            return Exit.OK;
        }
    }

    /** {@code journal verify}: reads all segments. */
    @Command(
            name = "verify",
            description = {
                "Reads and checks the whole journal.",
                "Says which parts cannot be read, and which messages are missing there."
            },
            exitCodeList = "1:Messages are missing.")
    static final class Verify extends Reading {
        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public Integer call() throws IOException, CommandFailure {
            Sum sum = new Sum();
            read(disk(), 0, true, (entry, reader) -> {
                if (entry == Entry.MESSAGES) {
                    reader.check();
                } else if (entry == Entry.CONTROL) {
                    Control unused = reader.control();
                }
                sum.add(entry, reader);
                return true;
            });
            if (json.isGiven()) {
                JsonOption.print(new Verified(sum.answer(null), sum.lostPlaces, sum.lost), terminal);
            } else {
                terminal.out().println(sum.text());
            }
            if (sum.lostPlaces > 0) {
                throw new CommandFailure(
                        Exit.NO,
                        "the journal cannot be read at " + Units.count(sum.lostPlaces, "place") + "; "
                                + Units.count(sum.lost, "message") + " of it " + (sum.lost == 1 ? "is" : "are")
                                + " missing");
            }
            return Exit.OK;
        }
    }

    /** {@code journal cat}: prints the messages. */
    @Command(
            name = "cat",
            description = {
                "Writes the messages of the journal to standard output.",
                "Writes each message as it was received, rejected messages included. Of Kafka records, the journal has only the offsets. `replay` can send the output of --framing octet."
            })
    @SuppressWarnings("NullAway.Init") // picocli sets options that have a default
    static final class Cat extends Reading {
        private static final int BUFFER_BYTES = 64 * 1024;

        @Option(
                names = "--from",
                paramLabel = "N",
                description = "Sequence of the first message to write. Default: the first one in the journal.")
        private long from;

        @Option(
                names = "--to",
                paramLabel = "N",
                description = "Sequence after the last message to write. Default: the end of the journal.")
        private long to = Long.MAX_VALUE;

        @Option(
                names = "--framing",
                paramLabel = "lf|octet",
                description = "Write each message as a line (lf), or its length before it (octet). Default: lf.")
        private FrameFormat framing = FrameFormat.LF;

        @Option(
                names = "--sequences",
                description =
                        "Write sequence, arrival stamp, listener and the reason for a rejection before each message, separated by tabs.")
        private boolean sequences;

        @Override
        public Integer call() throws IOException, CommandFailure {
            MessageBatch batch = new MessageBatch(MessageBatch.DEFAULT_BYTES);
            OutputStream out = new BufferedOutputStream(terminal.data(), BUFFER_BYTES);
            KafkaSpans left = new KafkaSpans();
            read(disk(), from, true, (entry, reader) -> {
                if (entry == Entry.RANGE && reader.firstSequence() < to) {
                    left.add(reader.range());
                }
                if (entry == Entry.MESSAGES && reader.firstSequence() < to) {
                    reader.fill(batch);
                    write(batch, out);
                }
                return entry != Entry.MESSAGES || reader.firstSequence() < to;
            });
            out.flush();
            if (!left.spans().isEmpty()) {
                terminal.err().println("left out: Kafka records, whose bytes only the brokers have" + left.text());
            }
            return Exit.OK;
        }

        private void write(MessageBatch batch, OutputStream out) throws IOException {
            for (int i = 0; i < batch.count(); i++) {
                long sequence = batch.sequence(i);
                if (sequence < from || sequence >= to) {
                    continue;
                }
                IMessage message = batch.message(i);
                if (sequences) {
                    RejectReason reason = message.rejectReason();
                    ascii(
                            sequence + "\t" + message.arrivalStamp() + "\t" + message.listener() + "\t"
                                    + (reason == RejectReason.NONE ? "-" : reason.label()) + "\t",
                            out);
                }
                int length = message.length(MessageBatch.FRAME);
                if (framing == FrameFormat.OCTET && length == 0) {
                    continue; // receivers take no frame whose count is 0
                }
                if (framing == FrameFormat.OCTET) {
                    ascii(length + " ", out);
                }
                out.write(message.bytes(), message.offset(MessageBatch.FRAME), length);
                if (framing == FrameFormat.LF) {
                    out.write('\n');
                }
            }
        }

        private static void ascii(String text, OutputStream out) throws IOException {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
