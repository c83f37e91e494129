package io.summarizer.core.journal;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.summarizer.core.disk.Disk;
import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.TopicRule;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a journal from a given sequence on, record by record, in order.
 * <pre>
 *   try (JournalReader reader = journal.read(from)) {
 *       Entry entry;
 *       while ((entry = reader.next()) != Entry.END) {
 *           switch (entry) {
 *               case MESSAGES -&gt; reader.fill(batch);      // then parse their envelopes by reader.topicRule()
 *               case RANGE -&gt; fetch(reader.range());
 *               case CONTROL -&gt; apply(reader.control());
 *               case LOST -&gt; report(reader.lost());
 *           }
 *       }
 *   }
 * </pre>
 * One thread. The reader is independent of the journal's writer: it may or may not find records that are appended
 * during the reading. The reader allocates nothing per message. Once its buffers have grown, it also allocates nothing
 * per record.
 */
public final class JournalReader implements AutoCloseable {
    /** The result of {@link #next}. */
    public enum Entry {
        /** A record of messages. */
        MESSAGES,
        /** A range of Kafka records in place of messages. */
        RANGE,
        /** A control. */
        CONTROL,
        /** A place that cannot be read. */
        LOST,
        /** The end. */
        END
    }

    private final Disk disk;
    private final List<SegmentName> names;
    private final long from;
    private final Consumer<Lost> losses;
    private final boolean bodies;
    private final ZstdDecompressCtx decompressor = new ZstdDecompressCtx();

    private int opened;
    private @Nullable SegmentReader segment;

    /** The last body that was unpacked. */
    private byte[] plain = {};

    /**
     * A reader of some segments.
     *
     * @param names names of the segments, oldest first
     * @param losses receives each loss before {@link #next} returns it
     * @param bodies whether to read and check bodies; if false, no message can be read
     */
    JournalReader(Disk disk, List<SegmentName> names, long from, Consumer<Lost> losses, boolean bodies) {
        this.disk = disk;
        this.names = names;
        this.from = from;
        this.losses = losses;
        this.bodies = bodies;
        // Of the segments that begin at or before this message, only the last one can have the message.
        while (opened + 1 < names.size() && names.get(opened + 1).first() < from) {
            opened++;
        }
    }

    /**
     * Moves to the next entry. Skips records that have no wanted message, and controls before the first wanted message.
     */
    public Entry next() throws IOException {
        while (true) {
            SegmentReader segment = this.segment;
            if (segment == null) {
                if (opened == names.size()) {
                    return Entry.END;
                }
                segment = open();
            }
            switch (segment.next()) {
                case RECORD -> {
                    RecordHeader header = segment.header();
                    if (header.count > 0 ? header.end() > from : header.first >= from) {
                        return switch (header.kind) {
                            case JournalFormat.MESSAGES -> Entry.MESSAGES;
                            case JournalFormat.KAFKA_RANGE -> Entry.RANGE;
                            default -> Entry.CONTROL;
                        };
                    }
                }
                case LOST -> {
                    Lost lost = segment.lost();
                    if (lost.to() > from || lost.controls() > 0 || lost.messages() == 0) {
                        losses.accept(lost);
                        return Entry.LOST;
                    }
                }
                case END -> {
                    segment.close();
                    this.segment = null;
                    opened++;
                }
            }
        }
    }

    private SegmentReader open() throws IOException {
        SegmentName next = opened + 1 < names.size() ? names.get(opened + 1) : null;
        SegmentReader segment = SegmentReader.open(
                disk,
                names.get(opened),
                next == null ? SegmentReader.UNKNOWN : next.first(),
                next == null ? SegmentReader.UNKNOWN : next.firstControl(),
                bodies);
        this.segment = segment;
        return segment;
    }

    private SegmentReader segment() {
        SegmentReader segment = this.segment;
        if (segment == null) {
            throw new IllegalStateException("no record is at hand");
        }
        return segment;
    }

    /**
     * Sequence of the first of the current messages. For a control or an empty range, the sequence of the next message.
     */
    public long firstSequence() {
        return segment().header().first;
    }

    /** Number of current messages. */
    public int count() {
        return segment().header().count;
    }

    /** Arrival stamp of the first of the current messages; the stamp increases by one with each further message. */
    public long firstStamp() {
        return segment().header().stamp;
    }

    /** Number of the listener that took the current messages. */
    public int listener() {
        return segment().header().listener;
    }

    /** The rule for the topics of the current messages. */
    public TopicRule topicRule() throws JournalException {
        return JournalFormat.topicRule(segment().header().rule);
    }

    /** Bytes of the bodies of the current messages after unpacking. */
    public int plainBytes() {
        return segment().header().plain;
    }

    /** Bytes of the bodies of the current messages in the segment. */
    public int bodyBytes() {
        return segment().header().stored;
    }

    /** Bytes of the current record in its segment. */
    public long storedBytes() {
        return segment().header().bytes();
    }

    /** Name of the current segment. */
    public String file() {
        return segment().name().file();
    }

    /** Place of the current record in its segment. */
    public long position() {
        return segment().recordAt();
    }

    /**
     * Puts the current messages into a batch: their frames, the reasons of rejected messages, the first sequence and
     * stamp, and the listener. For messages that were not rejected, the caller still has to parse the envelopes.
     *
     * @param batch loses its former contents
     * @throws JournalException when the record is undamaged, but of a kind that this program does not know
     */
    public void fill(MessageBatch batch) throws IOException {
        RecordHeader header = segment().header();
        unpack(header);
        batch.clear();
        messages(header, batch);
        batch.firstSequence(header.first);
        batch.firstStamp(header.stamp);
        batch.listener(header.listener);
    }

    /** Unpacks and checks the current messages, but keeps nothing. */
    public void check() throws IOException {
        RecordHeader header = segment().header();
        unpack(header);
        messages(header, null);
        var unused = topicRule();
    }

    private void messages(RecordHeader header, @Nullable MessageBatch into) throws IOException {
        try {
            MessageBody.get(plain, header.plain, header.count, into);
        } catch (NewerJournalException e) {
            throw e.at(file(), position());
        }
    }

    private void unpack(RecordHeader header) throws IOException {
        SegmentReader segment = segment();
        if (!bodies || header.kind != JournalFormat.MESSAGES) {
            throw new IllegalStateException("no messages are at hand");
        }
        if (plain.length < header.plain) {
            plain = new byte[Math.max(header.plain, (int) Math.min(2L * plain.length, JournalFormat.PLAIN_BYTES_MAX))];
        }
        unpack(decompressor, segment.bytes(), segment.body(), header.stored, header.compression, plain, header.plain);
    }

    /** Unpacks a body. The body matches its checksum, but may be malformed. */
    static void unpack(
            ZstdDecompressCtx decompressor, byte[] stored, int at, int length, int form, byte[] plain, int plainBytes)
            throws JournalException {
        if (form == JournalFormat.STORED_PLAIN && length == plainBytes) {
            System.arraycopy(stored, at, plain, 0, length);
            return;
        }
        if (form != JournalFormat.STORED_ZSTD) {
            throw new JournalException("a record of form=" + form + " stored=" + length + " plain=" + plainBytes);
        }
        int made;
        try {
            made = decompressor.decompressByteArray(plain, 0, plainBytes, stored, at, length);
        } catch (ZstdException e) {
            throw new JournalException("a record that does not unpack", e);
        }
        if (made != plainBytes) {
            throw new JournalException("a record of bytes=" + plainBytes + " that has " + made);
        }
    }

    /** The current range. {@link #count}, {@link #firstSequence} and {@link #firstStamp} describe its messages. */
    public KafkaRange range() throws IOException {
        SegmentReader segment = segment();
        RecordHeader header = segment.header();
        if (header.kind != JournalFormat.KAFKA_RANGE) {
            throw new IllegalStateException("no range is at hand");
        }
        int body = segment.body(); // may replace the array of bytes
        try {
            return RangeBody.decode(segment.bytes(), body, header.stored, header.count);
        } catch (NewerJournalException e) {
            throw e.at(file(), position());
        }
    }

    /** The current control. */
    public Control control() throws IOException {
        SegmentReader segment = segment();
        RecordHeader header = segment.header();
        if (header.kind != JournalFormat.CONTROL) {
            throw new IllegalStateException("no control is at hand");
        }
        int body = segment.body(); // may replace the array of bytes
        try {
            return Control.decode(segment.bytes(), body, header.stored);
        } catch (NewerJournalException e) {
            throw e.at(file(), position());
        }
    }

    /** Number of the current control; controls are numbered separately, from 0 on. */
    public long controlNumber() {
        return segment().header().stamp;
    }

    /** The current loss. */
    public Lost lost() {
        return segment().lost();
    }

    @Override
    public void close() throws IOException {
        decompressor.close();
        SegmentReader segment = this.segment;
        if (segment != null) {
            segment.close();
            this.segment = null;
        }
    }
}
