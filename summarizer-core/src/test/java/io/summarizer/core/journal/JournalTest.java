package io.summarizer.core.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.disk.SimulatedDisk;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.TopicRule;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JournalTest {
    private static final int SEGMENT = 16 * 1024;
    private static final JournalOptions OPTIONS = new JournalOptions(SEGMENT, 64L * SEGMENT, Compression.ZSTD);

    private final SimulatedDisk disk = new SimulatedDisk(new Random(1));
    private final List<String> notes = new ArrayList<>();

    private Journal open() throws IOException {
        return open(OPTIONS);
    }

    private Journal open(JournalOptions options) throws IOException {
        return Journal.open(disk, options, notes::add, new Random(2)::nextInt, Runnable::run);
    }

    /** All messages by sequence, and the losses. */
    private static NavigableMap<Long, String> messages(JournalReader reader, List<Lost> lost) throws IOException {
        TreeMap<Long, String> messages = new TreeMap<>();
        MessageBatch batch = new MessageBatch(1024);
        try (reader) {
            while (true) {
                switch (reader.next()) {
                    case MESSAGES -> {
                        reader.fill(batch);
                        List<String> texts = Messages.of(batch);
                        for (int i = 0; i < texts.size(); i++) {
                            messages.put(batch.firstSequence() + i, texts.get(i));
                        }
                    }
                    case LOST -> lost.add(reader.lost());
                    case CONTROL, RANGE -> {
                        // not here
                    }
                    case END -> {
                        return messages;
                    }
                }
            }
        }
    }

    private static List<String> messages(Journal journal, long from) throws IOException {
        List<Lost> lost = new ArrayList<>();
        List<String> messages = List.copyOf(messages(journal.read(from), lost).values());
        assertThat(lost).isEmpty();
        return messages;
    }

    @Test
    void givesEachMessageTheNextSequence() throws IOException {
        try (Journal journal = open()) {
            assertThat(journal.append(Messages.batch("a", "b"), TopicRule.MSGID))
                    .isEqualTo(0);
            assertThat(journal.append(Messages.batch("c"), TopicRule.MSGID)).isEqualTo(2);
            assertThat(journal.endSequence()).isEqualTo(3);
            assertThat(journal.syncedSequence()).isEqualTo(0);
            journal.sync();
            assertThat(journal.syncedSequence()).isEqualTo(3);
            assertThat(messages(journal, 0)).containsExactly("a", "b", "c");
        }
        try (Journal journal = open()) {
            assertThat(journal.endSequence()).isEqualTo(3);
            assertThat(journal.append(Messages.batch("d"), TopicRule.MSGID)).isEqualTo(3);
            journal.sync();
            assertThat(messages(journal, 0)).containsExactly("a", "b", "c", "d");
            assertThat(messages(journal, 3)).containsExactly("d");
            assertThat(messages(journal, 1)).containsExactly("a", "b", "c", "d"); // records are read as a whole
        }
        assertThat(notes).isEmpty();
    }

    @Test
    void saysWhenASegmentWasLongerOnce() throws IOException {
        try (Journal journal = open()) {
            journal.append(Messages.batch("a", "b"), TopicRule.MSGID);
            journal.sync();
            journal.append(Messages.batch("c"), TopicRule.MSGID);
            journal.sync();
        }
        String file = SegmentName.among(disk.list()).get(0).file();
        disk.put(
                file,
                Arrays.copyOf(disk.bytes(file), 2 * JournalFormat.BLOCK_BYTES)); // the header, and the first group
        List<Lost> lost = new ArrayList<>();
        assertThat(messages(Journal.inspect(disk, 0, true), lost)).hasSize(2);
        assertThat(lost).singleElement().satisfies(one -> {
            assertThat(one.from()).isEqualTo(2);
            assertThat(one.certain()).isTrue();
            assertThat(one.toString()).contains("ends too early", "is not known");
        });
        try (Journal journal = open()) {
            assertThat(journal.endSequence()).isEqualTo(2);
            assertThat(notes)
                    .singleElement()
                    .asString()
                    .contains("ends too early, at byte 8,192", "from sequence 2 on");
            assertThat(messages(journal, 0)).containsExactly("a", "b"); // its copy has the right length
        }
    }

    @Test
    void keepsAllThatPeelingNeeds() throws IOException {
        MessageBatch batch = Messages.batch("<13>1 - - app - - - x", "oversize:yyy", "frame:", "");
        batch.firstStamp(77);
        batch.listener(5);
        try (Journal journal = open()) {
            journal.append(batch, TopicRule.APP_NAME);
            journal.sync();
            try (JournalReader reader = journal.read(0)) {
                assertThat(reader.next()).isEqualTo(JournalReader.Entry.MESSAGES);
                MessageBatch read = new MessageBatch(16);
                reader.fill(read);
                assertThat(Messages.of(read)).isEqualTo(Messages.of(batch));
                assertThat(read.firstStamp()).isEqualTo(77);
                assertThat(read.firstSequence()).isEqualTo(0);
                assertThat(read.sequence(3)).isEqualTo(3);
                assertThat(read.listener()).isEqualTo(5);
                assertThat(reader.topicRule()).isEqualTo(TopicRule.APP_NAME);
                assertThat(reader.next()).isEqualTo(JournalReader.Entry.END);
            }
        }
    }

    @Test
    void forcesOnceForAGroup() throws IOException {
        try (Journal journal = open()) {
            journal.append(Messages.batch("first"), TopicRule.MSGID);
            journal.sync();
            int forces = disk.forces();
            for (int i = 0; i < 20; i++) {
                journal.append(Messages.batch("m" + i), TopicRule.MSGID);
            }
            journal.sync();
            assertThat(disk.forces()).isEqualTo(forces + 1);
            journal.sync();
            assertThat(disk.forces()).isEqualTo(forces + 1);
        }
    }

    @Test
    void numbersControlsByThemselves() throws IOException {
        Control reset = new Control(Control.Kind.RESET, "Größe", List.of(1L, Long.MAX_VALUE));
        Control reload = new Control(Control.Kind.DEFINITIONS, "abc", List.of());
        try (Journal journal = open()) {
            assertThat(journal.appendControl(reset)).isEqualTo(0);
            journal.append(Messages.batch("a", "b"), TopicRule.MSGID);
            journal.sync();
            assertThat(journal.appendControl(reload)).isEqualTo(1);
            journal.sync();
        }
        try (Journal journal = open()) {
            assertThat(journal.endControl()).isEqualTo(2);
            assertThat(journal.controls(0))
                    .containsExactly(new Journal.NumberedControl(0, reset), new Journal.NumberedControl(1, reload));
            assertThat(journal.controls(2)).containsExactly(new Journal.NumberedControl(1, reload));
            assertThat(journal.controls(3)).isEmpty();
            assertThat(journal.appendControl(reset)).isEqualTo(2);
        }
    }

    @Test
    void keepsThePayloadsOfControls() throws IOException {
        Control close = new Control(
                Control.Kind.CLOSE,
                "Traffic",
                List.of(1L),
                new WindowClose(-5, Long.MAX_VALUE, List.of(new WindowClose.Span(1, 2), new WindowClose.Span(2, 4))));
        Control put = new Control(
                Control.Kind.PUT,
                "Traffic",
                List.of(3L, 4L),
                new WindowPut(Long.MIN_VALUE, 60, "0123456789abcdef".repeat(4)));
        Control definitions = new Control(
                Control.Kind.DEFINITIONS,
                "abc",
                List.of(5L),
                new WindowBoundaries(Map.of("Traffic", Long.MIN_VALUE, "Größe", 60L)));
        try (Journal journal = open()) {
            journal.appendControl(close);
            journal.appendControl(put);
            journal.appendControl(definitions);
            journal.sync();
        }
        try (Journal journal = open()) {
            assertThat(journal.controls(0))
                    .extracting(Journal.NumberedControl::control)
                    .containsExactly(close, put, definitions);
        }
        byte[] broken = definitions.encode();
        Bytes.putInt(broken, 24, 1 << 30); // the length of the first name
        assertThatThrownBy(() -> Control.decode(broken, 0, broken.length))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("boundaries of bytes=");
        byte[] bytes = put.encode();
        assertThatThrownBy(() -> Control.decode(bytes, 0, bytes.length - 1))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("without the payload of a PUT");
        assertThatThrownBy(() -> new Control(Control.Kind.PUT, "Traffic", List.of(), close.payload()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void usesSegmentsAgainThatWereReleased() throws IOException {
        try (Journal journal = open()) {
            for (int i = 0; i < 400; i++) {
                journal.append(Messages.batch("message " + i), TopicRule.MSGID);
                journal.sync();
                journal.release(i, 0);
            }
            assertThat(journal.bytes()).isLessThanOrEqualTo(5L * SEGMENT);
            assertThat(messages(journal, 399)).containsExactly("message 399");
        }
        assertThat(disk.used()).isLessThanOrEqualTo(5L * SEGMENT);
    }

    @Test
    void keepsASegmentForTheControlsInIt() throws IOException {
        try (Journal journal = open()) {
            journal.append(Messages.batch("a"), TopicRule.MSGID);
            journal.appendControl(new Control(Control.Kind.RESET, "x", List.of(1L)));
            for (int i = 0; i < 10; i++) {
                journal.append(Messages.batch("b"), TopicRule.MSGID);
                journal.sync();
            }
            journal.release(journal.endSequence(), 0);
            assertThat(journal.firstSequence()).isEqualTo(0);
            journal.release(journal.endSequence(), 1);
            assertThat(journal.firstSequence()).isGreaterThan(1);
        }
    }

    @Test
    void hasNoRoomBeyondItsBoundUntilSomethingIsReleased() throws IOException {
        JournalOptions options = new JournalOptions(SEGMENT, 4 * SEGMENT, Compression.NONE);
        try (Journal journal = open(options)) {
            MessageBatch batch = Messages.batch("x".repeat(3_000));
            while (journal.hasRoom(batch)) {
                journal.append(batch, TopicRule.MSGID);
                journal.sync();
                assertThat(disk.used()).isLessThanOrEqualTo(options.maxBytes());
            }
            assertThatThrownBy(() -> journal.append(batch, TopicRule.MSGID)).isInstanceOf(JournalException.class);
            // Controls still have room, a whole segment.
            Control control = new Control(Control.Kind.RESET, "y".repeat(3_000), List.of());
            for (int i = 0; i < 2; i++) {
                journal.appendControl(control);
                journal.sync();
            }
            assertThatThrownBy(() -> journal.appendControl(control)).isInstanceOf(JournalException.class);
            journal.release(journal.syncedSequence(), 0);
            assertThat(journal.hasRoom(batch)).isTrue();
            journal.append(batch, TopicRule.MSGID);
        }
    }

    @Test
    void takesABatchThatIsLargerThanASegment() throws IOException {
        String large = "z".repeat(5 * SEGMENT);
        JournalOptions options = new JournalOptions(SEGMENT, 64L * SEGMENT, Compression.NONE);
        try (Journal journal = open(options)) {
            journal.append(Messages.batch("a"), TopicRule.MSGID);
            journal.append(Messages.batch(large), TopicRule.MSGID);
            journal.append(Messages.batch("b"), TopicRule.MSGID);
            journal.sync();
            assertThat(messages(journal, 0)).containsExactly("a", large, "b");
            journal.release(3, 0);
        }
    }

    @Test
    void forgetsWhatAFailedForceWasFor() throws IOException {
        try (Journal journal = open()) {
            journal.append(Messages.batch("a"), TopicRule.MSGID);
            journal.sync();
            disk.failing(1, 0);
            journal.append(Messages.batch("b"), TopicRule.MSGID);
            assertThatThrownBy(journal::sync).isInstanceOf(IOException.class);
            assertThat(journal.endSequence()).isEqualTo(1);
            disk.failing(0, 0);
            journal.append(Messages.batch("c"), TopicRule.MSGID);
            journal.sync();
            assertThat(messages(journal, 0)).containsExactly("a", "c");
        }
        disk.loseEverythingUnsynced();
        try (Journal journal = open()) {
            assertThat(messages(journal, 0)).containsExactly("a", "c");
        }
    }

    @Test
    void saysWhatIsMissingAndReadsOn() throws IOException {
        String file;
        long position;
        try (Journal journal = open()) {
            for (int i = 0; i < 3; i++) {
                journal.append(Messages.batch("m" + i, "n" + i), TopicRule.MSGID);
                journal.sync();
            }
            try (JournalReader reader = journal.read(0)) {
                reader.next();
                reader.next();
                file = reader.file();
                position = reader.position();
                assertThat(reader.firstSequence()).isEqualTo(2);
            }
        }
        disk.flip(file, position + JournalFormat.HEADER_BYTES + 2, 1);
        try (Journal journal = open()) {
            List<Lost> lost = new ArrayList<>();
            NavigableMap<Long, String> read = messages(journal.read(0), lost);
            assertThat(read.values()).containsExactly("m0", "n0", "m2", "n2");
            assertThat(lost).hasSize(1);
            assertThat(lost.get(0).from()).isEqualTo(2);
            assertThat(lost.get(0).to()).isEqualTo(4);
            assertThat(lost.get(0).certain()).isTrue();
            assertThat(disk.folder("quarantine").list()).containsExactly(file + "." + position + ".bytes");
            assertThat(notes).anyMatch(note -> note.contains("2 messages are missing, sequences 2 to 3"));
            assertThat(journal.endSequence()).isEqualTo(6);
            lost.clear();
            messages(journal.read(4), lost);
            assertThat(lost).isEmpty();
        }
    }

    @Test
    void goesOnBehindWhatACheckpointCovers() throws IOException {
        try (Journal journal = open()) {
            journal.skipTo(1_000, 7);
            assertThat(journal.append(Messages.batch("a"), TopicRule.MSGID)).isEqualTo(1_000);
            assertThat(journal.appendControl(new Control(Control.Kind.RESET, "x", List.of())))
                    .isEqualTo(7);
        }
        try (Journal journal = open()) {
            assertThat(journal.endSequence()).isEqualTo(1_001);
            assertThat(journal.endControl()).isEqualTo(8);
            assertThat(messages(journal, 1_000)).containsExactly("a");
        }
        assertThat(notes).hasSize(1);
    }

    @Test
    void refusesANewerVersion() throws IOException {
        String file;
        try (Journal journal = open()) {
            journal.append(Messages.batch("a"), TopicRule.MSGID);
            journal.sync();
            file = SegmentName.among(disk.list()).get(0).file();
        }
        byte[] bytes = disk.bytes(file);
        bytes[JournalFormat.SEGMENT_VERSION] = 3;
        byte[] header = Arrays.copyOf(bytes, JournalFormat.HEADER_BYTES);
        JournalFormat.seal(header, new CRC32C());
        System.arraycopy(header, 0, bytes, 0, header.length);
        disk.put(file, bytes);
        assertThatThrownBy(this::open)
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("version 3, this program reads versions 1 to 2");
    }

    /** Segments of version 1 have the form of those of version 2, which follow them. */
    @Test
    void goesOnBehindSegmentsOfVersion1WithSegmentsOfVersion2() throws IOException {
        String file;
        try (Journal journal = open()) {
            journal.append(Messages.batch("a", "b"), TopicRule.MSGID);
            journal.appendControl(new Control(Control.Kind.RESET, "Traffic", List.of(1L)));
            journal.sync();
            file = SegmentName.among(disk.list()).get(0).file();
        }
        byte[] bytes = disk.bytes(file);
        Bytes.putInt(bytes, JournalFormat.SEGMENT_VERSION, 1);
        JournalFormat.seal(bytes, 0, new CRC32C());
        disk.put(file, bytes);
        try (Journal journal = open()) {
            journal.append(Messages.batch("c"), TopicRule.MSGID);
            journal.sync();
        }
        assertThat(SegmentName.among(disk.list()))
                .extracting(name -> Bytes.getInt(disk.bytes(name.file()), JournalFormat.SEGMENT_VERSION))
                .containsExactly(1, 2);
        try (Journal journal = open()) {
            assertThat(messages(journal, 0)).containsExactly("a", "b", "c");
            assertThat(journal.controls(0)).hasSize(1);
        }
    }

    @Test
    void refusesReasonsThatOnlyANewerVersionRejectsFor() {
        for (int code = 6; code <= 8; code++) {
            int reserved = code;
            assertThatThrownBy(() -> JournalFormat.rejectReason(reserved)).isInstanceOf(NewerJournalException.class);
        }
        assertThatThrownBy(() -> JournalFormat.rejectReason(9)).isExactlyInstanceOf(JournalException.class);
    }

    /** Features that a newer program may write: kinds of records and of controls, a payload of a control. */
    @ParameterizedTest
    @CsvSource({
        "9, 0, 0, a record of kind 9",
        "2, 6, 8, a version of the lookup Traffic",
        "2, 7, 0, a control of kind 7",
        "2, 2, 8, a control of kind 2 with a payload"
    })
    void refusesWhatOnlyANewerVersionAppliesAndDestroysNothing(int record, int control, int payload, String what)
            throws IOException {
        String file;
        long at;
        try (Journal journal = open()) {
            journal.append(Messages.batch("a"), TopicRule.MSGID);
            journal.appendControl(new Control(Control.Kind.RESET, "Traffic", List.of(1L)));
            journal.append(Messages.batch("b"), TopicRule.MSGID);
            journal.sync();
            file = SegmentName.among(disk.list()).get(0).file();
        }
        try (JournalReader reader = Journal.inspect(disk, 0, true)) {
            assertThat(reader.next()).isEqualTo(JournalReader.Entry.MESSAGES);
            assertThat(reader.next()).isEqualTo(JournalReader.Entry.CONTROL);
            at = reader.position();
        }
        byte[] bytes = disk.bytes(file);
        byte[] header = Arrays.copyOfRange(bytes, (int) at, (int) at + JournalFormat.HEADER_BYTES);
        int body = (int) at + JournalFormat.HEADER_BYTES;
        header[JournalFormat.RECORD_KIND] = (byte) record;
        bytes[body] = (byte) control;
        int length = Bytes.getInt(header, JournalFormat.RECORD_STORED);
        if (payload > 0) { // the one position becomes it
            Bytes.putInt(bytes, body + 5 + "Traffic".length(), 0);
        }
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, body, length);
        Bytes.putInt(header, JournalFormat.RECORD_CHECKSUM, (int) checksum.getValue());
        JournalFormat.seal(header, checksum);
        System.arraycopy(header, 0, bytes, (int) at, header.length);
        disk.put(file, bytes);
        for (int time = 0; time < 2; time++) {
            assertThatThrownBy(() -> {
                        try (Journal journal = open()) {
                            journal.controls(0);
                        }
                    })
                    .isInstanceOf(NewerJournalException.class)
                    .hasMessage(file + ": at byte " + at + " is " + what
                            + ", which this program does not know; go on with a newer version of the program");
            assertThat(Arrays.copyOf(disk.bytes(file), body + length))
                    .startsWith(Arrays.copyOfRange(bytes, 0, JournalFormat.SEGMENT_BYTES))
                    .endsWith(Arrays.copyOfRange(bytes, JournalFormat.BLOCK_BYTES, body + length));
        }
        try (JournalReader reader = Journal.inspect(disk, 0, true)) {
            assertThat(reader.next()).isEqualTo(JournalReader.Entry.MESSAGES);
            assertThatThrownBy(() -> {
                        if (reader.next() == JournalReader.Entry.CONTROL) {
                            reader.control();
                        }
                    })
                    .isInstanceOf(NewerJournalException.class);
        }
    }

    /** The place of a record in its segment. */
    private record Extent(long from, long to, int stored) {
        /** End of its body. */
        long end() {
            return from + JournalFormat.HEADER_BYTES + stored;
        }
    }

    /** A small journal of two groups, and the places of its records, by first sequence. */
    private static final class Small {
        final String file;
        final byte[] bytes;
        final NavigableMap<Long, Extent> records;
        final NavigableMap<Long, String> messages;

        Small(String file, byte[] bytes, NavigableMap<Long, Extent> records, NavigableMap<Long, String> messages) {
            this.file = file;
            this.bytes = bytes;
            this.records = records;
            this.messages = messages;
        }

        /** Whether this byte is padding. */
        boolean isPadding(int at) {
            return at > JournalFormat.HEADER_BYTES
                    && records.values().stream().noneMatch(record -> record.from() <= at && at < record.to());
        }
    }

    private Small small(Compression compression) throws IOException {
        JournalOptions options = new JournalOptions(4 * SEGMENT, 64L * SEGMENT, compression);
        try (Journal journal = open(options)) {
            for (int group = 0; group < 2; group++) {
                for (int record = 0; record < 3; record++) {
                    journal.append(
                            Messages.batch("message " + group + record + "a".repeat(60 * record), "frame:b"),
                            TopicRule.MSGID);
                }
                journal.sync();
            }
        }
        String file = SegmentName.among(disk.list()).get(0).file();
        NavigableMap<Long, Extent> records = new TreeMap<>();
        try (JournalReader reader = Journal.inspect(disk, 0, true)) {
            while (reader.next() == JournalReader.Entry.MESSAGES) {
                records.put(
                        reader.firstSequence(),
                        new Extent(reader.position(), reader.position() + reader.storedBytes(), reader.bodyBytes()));
            }
        }
        assertThat(records).hasSize(6);
        try (JournalReader reader = Journal.inspect(disk, 0, true)) {
            return new Small(file, disk.bytes(file), records, messages(reader, new ArrayList<>()));
        }
    }

    private NavigableMap<Long, String> reopened(Small small, byte[] bytes, List<Lost> lost) throws IOException {
        SimulatedDisk other = new SimulatedDisk(new Random(3));
        other.put(small.file, bytes);
        NavigableMap<Long, String> read;
        try (Journal journal = Journal.open(other, OPTIONS, notes::add, new Random(4)::nextInt, Runnable::run)) {
            read = messages(journal.read(0), lost);
        }
        notes.add("opened again");
        try (Journal journal = Journal.open(other, OPTIONS, notes::add, new Random(5)::nextInt, Runnable::run)) {
            assertThat(notes.subList(notes.indexOf("opened again"), notes.size()))
                    .noneMatch(note -> note.contains("longer once")); // the copy has the right length
            // It can be written to in any case.
            journal.append(Messages.batch("next"), TopicRule.MSGID);
            journal.sync();
        }
        return read;
    }

    @Test
    void readsWholeRecordsOfAFileCutAtAnyByte() throws IOException {
        Small small = small(Compression.ZSTD);
        int end = (int) small.records.lastEntry().getValue().to();
        for (int length = 0; length <= end; length++) {
            if (length % 64 != 0 && small.isPadding(length) && small.isPadding(length - 1)) {
                continue;
            }
            TreeMap<Long, String> expected = new TreeMap<>();
            for (var record : small.records.entrySet()) {
                if (record.getValue().end() <= length) {
                    expected.putAll(small.messages.subMap(record.getKey(), record.getKey() + 2));
                }
            }
            List<Lost> lost = new ArrayList<>();
            notes.clear();
            assertThat(reopened(small, Arrays.copyOf(small.bytes, length), lost))
                    .as("length=%d", length)
                    .isEqualTo(expected);
            assertThat(lost).isEmpty();
            assertThat(notes)
                    .as("length=%d", length)
                    .anyMatch(note -> note.contains("missing from sequence " + expected.size() + " on"));
        }
    }

    @Test
    void losesTheRecordThatAFlippedBitHitsAndNoOther() throws IOException {
        for (Compression compression : Compression.values()) {
            Small small = small(compression);
            int end = (int) small.records.lastEntry().getValue().to();
            for (int at = 0; at < end + JournalFormat.HEADER_BYTES; at++) {
                if (at % 64 != 0 && small.isPadding(at)) {
                    continue;
                }
                byte[] bytes = small.bytes.clone();
                bytes[at] ^= (byte) (1 << at % 8);
                TreeMap<Long, String> expected = new TreeMap<>(small.messages);
                for (var record : small.records.entrySet()) {
                    if (record.getValue().from() <= at && at < record.getValue().to()) {
                        expected.subMap(record.getKey(), record.getKey() + 2).clear();
                    }
                }
                List<Lost> lost = new ArrayList<>();
                NavigableMap<Long, String> read = reopened(small, bytes, lost);
                if (!read.equals(small.messages)) { // the padding of a record is not covered
                    assertThat(read).as("at=%d", at).isEqualTo(expected);
                    long missing = lost.stream().mapToLong(Lost::messages).sum();
                    assertThat(missing).as("at=%d lost=%s", at, lost).isEqualTo(12 - read.size());
                }
            }
            for (String name : disk.list()) {
                disk.delete(name);
            }
        }
    }

    @Test
    void doesNotTakeForARecordWhatASenderMadeToLookLikeOne() throws IOException {
        JournalOptions options = new JournalOptions(SEGMENT, 64L * SEGMENT, Compression.NONE);
        String file;
        String record;
        try (Journal journal = open(options)) {
            journal.append(Messages.batch("secret"), TopicRule.MSGID);
            journal.sync();
            file = SegmentName.among(disk.list()).get(0).file();
            byte[] bytes = disk.bytes(file);
            record = new String(bytes, JournalFormat.BLOCK_BYTES, 128, StandardCharsets.ISO_8859_1);
        }
        SimulatedDisk other = new SimulatedDisk(new Random(5));
        try (Journal journal = Journal.open(other, options, notes::add, new Random(6)::nextInt, Runnable::run)) {
            for (int shift = 0; shift < 8; shift++) {
                journal.append(Messages.batch("x".repeat(shift) + record.repeat(10)), TopicRule.MSGID);
            }
            journal.append(Messages.batch("end"), TopicRule.MSGID);
            journal.sync();
        }
        byte[] bytes = other.bytes(file);
        for (int i = 0; i < 8; i++) {
            bytes[JournalFormat.BLOCK_BYTES + i * 1400 + 10] ^= 1;
        }
        other.put(file, bytes);
        List<Lost> lost = new ArrayList<>();
        try (JournalReader reader = Journal.inspect(other, 0, true)) {
            assertThat(messages(reader, lost).values())
                    .allMatch(text -> !text.equals("secret"))
                    .contains("end");
        }
        assertThat(lost).isNotEmpty();
    }

    @Test
    void livesInAFolderOfTheFileSystem(@TempDir Path folder) throws IOException {
        Path journals = folder.resolve("journal");
        Random random = new Random(7);
        List<String> all = new ArrayList<>();
        for (int run = 0; run < 3; run++) {
            try (Journal journal = Journal.open(new FileDisk(journals), OPTIONS, notes::add)) {
                assertThat(messages(journal, 0)).isEqualTo(all);
                for (int i = 0; i < 50; i++) {
                    List<String> texts = Messages.random(random, 10, 1_000);
                    journal.append(Messages.batch(texts), TopicRule.MSGID);
                    all.addAll(texts);
                    if (random.nextInt(3) == 0) {
                        journal.sync();
                    }
                }
            }
        }
        try (Journal journal = Journal.open(new FileDisk(journals), OPTIONS, notes::add)) {
            assertThat(messages(journal, 0)).isEqualTo(all);
            journal.release(journal.endSequence(), journal.endControl());
        }
        try (var files = Files.list(journals)) {
            assertThat(files.mapToLong(file -> file.toFile().length()).sum()).isLessThanOrEqualTo(4L * SEGMENT);
        }
        assertThat(notes).isEmpty();
    }
}
