package io.summarizer.server.oracle;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.StreamFramer;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.store.RowLimit;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.dsl.generate.RowSources;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The whole path on one thread, without queues: bytes of a stream in, CSV out. The pipeline must have the same result,
 * however it distributes the work.
 */
final class SingleThread {
    /** A message that was rejected, its frame as Latin-1. */
    record Refused(RejectReason reason, String frame) {}

    private final Plan plan;
    private final List<EventProgram> programs = new ArrayList<>();
    private final List<SummaryStore> stores = new ArrayList<>();
    private final List<Refused> refused = new ArrayList<>();
    private final UpdateBatch updates = new UpdateBatch(1 << 16);
    private long good;

    SingleThread(Plan plan) {
        this.plan = plan;
        for (int i = 0; i < plan.events().size(); i++) {
            programs.add(plan.newProgram(i));
        }
        for (SummaryLayout layout : plan.summaries()) {
            stores.add(new SummaryStore(layout, RowSources.compile(layout), RowLimit.of(layout, Long.MAX_VALUE)));
        }
    }

    /** Processes a whole stream of lines, in pieces like those of a socket. */
    void receive(byte[] stream, int messageBytesMax) {
        SyslogFramer framer =
                new SyslogFramer(Framing.LF, messageBytesMax, new EnvelopeParser(TopicRule.MSGID_OR_APP_NAME));
        MessageBatch batch = new MessageBatch(MessageBatch.DEFAULT_BYTES);
        framer.begin(batch);
        int at = 0;
        while (at < stream.length) {
            if (!framer.reserve(batch)) {
                batch = handOver(framer, batch);
                continue;
            }
            int count = Math.min(stream.length - at, batch.bytes().length - batch.limit());
            System.arraycopy(stream, at, batch.bytes(), batch.limit(), count);
            batch.limit(batch.limit() + count);
            at += count;
            while (framer.frame(batch) == StreamFramer.Outcome.FULL) {
                batch = handOver(framer, batch);
            }
        }
        framer.end(batch);
        process(batch);
    }

    private MessageBatch handOver(SyslogFramer framer, MessageBatch batch) {
        MessageBatch next = framer.carryOver(batch, new MessageBatch(MessageBatch.DEFAULT_BYTES));
        process(batch);
        return next;
    }

    private void process(MessageBatch batch) {
        for (int i = 0; i < batch.count(); i++) {
            IMessage message = batch.message(i);
            RejectReason reason = message.rejectReason();
            if (reason == RejectReason.NONE && evaluate(message) != null) {
                reason = RejectReason.PAYLOAD;
            }
            if (reason == RejectReason.NONE) {
                good++;
            } else {
                String frame = new String(
                        message.bytes(),
                        message.offset(MessageBatch.FRAME),
                        message.length(MessageBatch.FRAME),
                        StandardCharsets.ISO_8859_1);
                refused.add(new Refused(reason, frame));
            }
        }
    }

    private @Nullable String evaluate(IMessage message) {
        String topic = new String(
                message.bytes(),
                message.offset(MessageBatch.TOPIC),
                message.length(MessageBatch.TOPIC),
                StandardCharsets.UTF_8);
        for (int event = 0; event < plan.events().size(); event++) {
            if (matches(plan.events().get(event).topics(), topic)) {
                List<Plan.Mapping> mappings = plan.events().get(event).mappings();
                boolean[] active = new boolean[mappings.size()];
                for (int i = 0; i < active.length; i++) {
                    active[i] = mappings.get(i).topics().isEmpty()
                            || matches(mappings.get(i).topics(), topic);
                }
                updates.clear();
                String problem = programs.get(event).process(message, active, (summary, hash) -> updates);
                apply();
                return problem;
            }
        }
        throw new AssertionError("no event takes topic " + topic);
    }

    private static boolean matches(List<TopicPattern> patterns, String topic) {
        return patterns.stream().anyMatch(pattern -> pattern.matches(topic));
    }

    private void apply() {
        byte[] bytes = updates.bytes();
        int at = 0;
        while (at < updates.limit()) {
            stores.get(Bytes.getShort(bytes, at + UpdateBatch.SUMMARY_OFFSET)).apply(bytes, at);
            at += Bytes.getInt(bytes, at);
        }
    }

    /** Number of processed messages. */
    long good() {
        return good;
    }

    /** Rejected messages, in their order. */
    List<Refused> refused() {
        return refused;
    }

    /** Writes summary {@code summary}, or the nested one at {@code path}. */
    void export(int summary, List<String> path, OutputStream out) throws IOException, CsvQueryException {
        SummaryStore store = stores.get(summary);
        SummaryView view = new SummaryView(store.layout(), List.of(store.freeze()), 0);
        CsvExporter.of(view, path, CsvQuery.ALL, CsvQueryCompiler.of(List.of())).writeTo(out);
    }
}
