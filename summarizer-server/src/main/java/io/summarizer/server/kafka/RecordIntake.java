package io.summarizer.server.kafka;

import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.KafkaRange.Partition;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RecordRule;
import io.summarizer.core.message.RecordRule.Source;
import io.summarizer.core.pipeline.BatchSink;
import io.summarizer.core.pipeline.Intake;
import io.summarizer.core.receive.RecordFramer;
import io.summarizer.core.receive.StreamFramer;
import io.summarizer.core.recovery.KafkaOffsets;
import io.summarizer.server.net.ListenerCounters;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Makes batches of records, and submits the batches to the sink. While the sink has no room, batches wait here. Belongs
 * to the listener's thread. Allocates nothing per record.
 */
final class RecordIntake {
    private final RecordRule rule;
    private final boolean byHeader;
    private final String header;
    private final int listener;
    private final KafkaOffsets offsets;
    private final BatchSink sink;
    private final ListenerCounters counters;
    private final RecordFramer framer;
    private final Room room;
    private final Intake intake;
    private final int[] relative = new int[StreamFramer.MESSAGES_MAX];

    /** Is told by the sink when there is room. */
    private final class Room implements BatchSink.Receiver {
        private final Runnable wake;
        /** Whether there is room again after a refusal. */
        private volatile boolean again;

        private Room(Runnable wake) {
            this.wake = wake;
        }

        @Override
        public void taken(int messages) {
            counters.batches.increment();
            counters.messages.add(messages);
        }

        @Override
        public void refused() {
            counters.pauses.increment();
        }

        @Override
        public void onRoom() {
            again = true;
            wake.run();
        }
    }

    /** A partition that is being read. */
    final class Reading implements KafkaListener.Lag {
        private final Partition partition;
        private final byte[] topic;
        private volatile long end;

        // These belong to the thread: the offset after the last record that was taken, and the batch being filled.
        private long next;
        private @Nullable MessageBatch batch;
        private long first;

        private Reading(Partition partition, long next) {
            this.partition = partition;
            this.next = next;
            end = next;
            topic = partition.topic().getBytes(StandardCharsets.UTF_8);
        }

        /** The partition, with the id of its topic. */
        Partition name() {
            return partition;
        }

        /** Goes on at an offset, because there are no records before it any more. */
        void skipTo(long offset) {
            next = offset;
        }

        /** The offset after the last record that was taken. */
        long next() {
            return next;
        }

        /** Notes the offset at which the partition ends. */
        void end(long offset) {
            end = offset;
        }

        @Override
        public String topic() {
            return partition.topic();
        }

        @Override
        public int partition() {
            return partition.number();
        }

        @Override
        public long records() {
            return Math.max(0, end - offsets.next(partition).orElse(end));
        }

        /** Adds a record to the batch that is being filled. */
        void take(ConsumerRecord<byte[], ByteBuffer> record) {
            if (record.offset() < next) {
                return; // was taken before the client failed
            }
            next = record.offset() + 1;
            ByteBuffer value = record.value();
            int length = value == null ? 0 : value.remaining();
            MessageBatch batch = this.batch;
            if (batch != null
                    && (batch.limit() + framer.bytesMax(length) > MessageBatch.DEFAULT_BYTES
                            || batch.count() == relative.length
                            || record.offset() - first >= Integer.MAX_VALUE)) {
                handOver();
                batch = null;
            }
            if (batch == null) {
                batch = sink.acquire();
                this.batch = batch;
                first = record.offset();
            }
            relative[batch.count()] = (int) (record.offset() - first);
            framer.take(batch, value, byHeader ? topic(record) : topic);
        }

        private byte @Nullable [] topic(ConsumerRecord<byte[], ByteBuffer> record) {
            Header last = record.headers().lastHeader(header);
            return last == null ? null : last.value();
        }

        /** Submits the batch that is being filled. */
        void handOver() {
            MessageBatch filled = batch;
            if (filled != null) {
                batch = null;
                counters.bytesRead.add(filled.limit());
                submit(filled, KafkaRange.of(partition, rule, first, relative, filled.count()));
            }
        }
    }

    /**
     * An intake without batches.
     *
     * @param listener number of the listener, which every batch carries
     * @param offsets next offsets of the partitions, which follow the journal
     * @param wake called by any thread when there is room again
     */
    RecordIntake(
            RecordRule rule,
            int listener,
            KafkaOffsets offsets,
            BatchSink sink,
            ListenerCounters counters,
            Runnable wake) {
        this.rule = rule;
        this.listener = listener;
        this.offsets = offsets;
        this.sink = sink;
        this.counters = counters;
        byHeader = rule.source() == Source.HEADER;
        header = rule.header();
        framer = new RecordFramer(rule);
        room = new Room(wake);
        intake = sink.intake(room);
    }

    /** The reading of a partition from an offset on. */
    Reading reading(Partition partition, long offset) {
        return new Reading(partition, offset);
    }

    /** Journals the offset at which the reading of a partition begins. */
    void begin(Partition partition, long offset) {
        submit(sink.acquire(), KafkaRange.beginning(partition, rule, offset));
    }

    private void submit(MessageBatch batch, KafkaRange range) {
        batch.range(range);
        batch.listener(listener);
        intake.submit(batch, null);
    }

    /** Submits waiting batches if there is room again. Returns whether there was room. */
    boolean resume() {
        if (!room.again) {
            return false;
        }
        room.again = false;
        intake.resume();
        return true;
    }

    /** Whether no batch waits for room. */
    boolean isEmpty() {
        return intake.waiting() == 0;
    }

    /** Drops the batches that wait for room; returns the number of their messages. */
    int drop() {
        return intake.drop();
    }
}
