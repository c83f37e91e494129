package io.summarizer.core.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.KafkaRange;
import io.summarizer.core.message.KafkaRange.Partition;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RecordRule;
import io.summarizer.core.message.RecordRule.Source;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.route.TopicPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BatchSplitterTest {
    private static final Placement PLACEMENT = new Placement(
            List.of(List.of(), List.of(TopicPattern.of("a.#")), List.of(TopicPattern.of("b"), TopicPattern.of("#.z"))),
            1,
            1,
            1);

    private final MessagePool pool = new MessagePool(16, 1);

    @Test
    void shouldLetABatchOfOnePipelineThroughAsItIs() {
        MessageBatch batch = framed("a.x", "a.y", "a.z");
        List<MessageBatch> made = split(batch, 3, 0);
        assertThat(made).containsExactly(batch);
        assertThat(batch.pipeline()).as("a.z is for the first that takes it").isEqualTo(1);
    }

    @Test
    void shouldLetABatchThroughThatNothingDivides() {
        MessageBatch batch = framed("a.x", "b", "c");
        assertThat(split(batch, 1, 0)).containsExactly(batch);
        MessageBatch empty = new MessageBatch(16);
        assertThat(split(empty, 3, 2)).containsExactly(empty);
    }

    @Test
    void shouldMakePartsOfAsManyMessagesAsABatchMayHave() {
        List<MessageBatch> made = split(framed("a", "b", "c", "d", "e"), 1, 2);
        assertThat(made).extracting(MessageBatch::count).containsExactly(2, 2, 1);
        assertThat(made).extracting(MessageBatch::pipeline).containsOnly(0);
        assertThat(made.stream().flatMap(part -> texts(part).stream()))
                .containsExactlyElementsOf(texts(framed("a", "b", "c", "d", "e")));
    }

    @Test
    void shouldKeepThePartitionOfABatchFromKafkaInItsParts() {
        Partition partition = new Partition(1, 2, "orders", 3);
        MessageBatch batch = framed("a", "b", "c");
        batch.range(KafkaRange.of(partition, new RecordRule(Source.SYSLOG, "", 1024), 7, new int[] {0, 1, 2}, 3));
        List<MessageBatch> made = split(batch, 3, 0);
        assertThat(made).hasSize(3);
        assertThat(made).extracting(MessageBatch::partition).containsOnly(partition);
        assertThat(made).extracting(MessageBatch::range).containsOnlyNulls();
        assertThat(batch.partition()).as("of the batch that the pool took").isNull();
        assertThat(split(framed("a", "b"), 3, 0))
                .extracting(MessageBatch::partition)
                .containsOnlyNulls();
    }

    /** Compares every slice of every message of random batches with the batch before it was split. */
    @Test
    void shouldKeepAllOfEachMessageAndTheirOrderWithinAPipeline() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        String[] topics = {"a", "a.b", "b", "b.z", "c", "z", "-"};
        for (int run = 0; run < 300; run++) {
            String[] chosen = new String[random.nextInt(40)];
            for (int i = 0; i < chosen.length; i++) {
                chosen[i] = topics[random.nextInt(topics.length)];
            }
            int max = random.nextInt(5);
            List<List<String>> expected = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            List<String> all = texts(framed(chosen));
            for (int i = 0; i < chosen.length; i++) {
                int pipeline = chosen[i].startsWith("a") ? 1 : chosen[i].equals("b") || chosen[i].endsWith("z") ? 2 : 0;
                expected.get(pipeline).add(all.get(i));
            }
            List<List<String>> found = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (MessageBatch part : split(framed(chosen), 3, max)) {
                found.get(part.pipeline()).addAll(texts(part));
                assertThat(part.listener()).isEqualTo(7);
                assertThat(part.count()).isLessThanOrEqualTo(max == 0 ? 40 : max);
            }
            assertThat(found).as("seed %d run %d", seed, run).isEqualTo(expected);
        }
    }

    private List<MessageBatch> split(MessageBatch batch, int pipelines, int messagesMax) {
        List<MessageBatch> made = new ArrayList<>();
        new BatchSplitter(PLACEMENT.routes().newRouter(), pipelines, messagesMax, pool).split(batch, made::add);
        return made;
    }

    /** Everything known of each message, as text. */
    private static List<String> texts(MessageBatch batch) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < batch.count(); i++) {
            IMessage message = batch.message(i);
            StringBuilder text = new StringBuilder().append(message.severity()).append(message.rejectReason());
            for (int field = MessageBatch.FRAME; field <= MessageBatch.TOPIC; field++) {
                int length = message.length(field);
                text.append('|')
                        .append(
                                length < 0
                                        ? "none"
                                        : new String(message.bytes(), message.offset(field), length, UTF_8));
            }
            texts.add(text.toString());
        }
        return texts;
    }

    /** A batch as a listener makes it; a topic of "-" is a message without one, and each fifth message is malformed. */
    private static MessageBatch framed(String... topics) {
        MessageBatch batch = new MessageBatch(1 << 16);
        SyslogFramer framer = new SyslogFramer(Framing.LF, 8192, new EnvelopeParser(TopicRule.MSGID));
        framer.begin(batch);
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < topics.length; i++) {
            lines.append("<14>1 2026-01-02T03:04:05Z host-")
                    .append(i)
                    .append(" app 12 ")
                    .append(topics[i])
                    .append(" [x@1 y=\"")
                    .append(i)
                    .append("\"] payload ")
                    .append("é".repeat(i))
                    .append('\n');
        }
        byte[] bytes = lines.toString().getBytes(UTF_8);
        batch.ensureCapacity(bytes.length);
        System.arraycopy(bytes, 0, batch.bytes(), 0, bytes.length);
        batch.limit(bytes.length);
        framer.frame(batch);
        for (int i = 4; i < batch.count(); i += 5) {
            batch.reject(i, RejectReason.FRAME);
        }
        batch.listener(7);
        return batch;
    }
}
