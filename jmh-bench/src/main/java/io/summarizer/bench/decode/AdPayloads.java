package io.summarizer.bench.decode;

import io.summarizer.bench.e2e.Traffic;
import io.summarizer.bench.receive.FramedWorkload;
import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.model.Definitions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** Messages of the reference workload in one batch, with their event types. */
final class AdPayloads {
    private final MessageBatch messages;
    private final String[] types;

    private AdPayloads(MessageBatch messages) {
        this.messages = messages;
        types = new String[messages.count()];
        Arrays.setAll(types, message -> type(messages.message(message)));
    }

    /** Makes the first messages of the flat workload, or of the nested one. */
    static AdPayloads of(boolean nested, int count) throws IOException {
        return new AdPayloads(messages(nested ? Traffic.V2 : Traffic.V1, count));
    }

    /** Makes the first messages of any workload. */
    static MessageBatch messages(Traffic traffic, int count) throws IOException {
        MessageBatch messages = new MessageBatch(MessageBatch.DEFAULT_BYTES);
        while (messages.count() < count) {
            int more = Math.min(count - messages.count(), SyslogFramer.MESSAGES_MAX);
            MessageBatch next = FramedWorkload.batch(traffic.workload(), messages.count(), more);
            for (int i = 0; i < next.count(); i++) {
                messages.appendFrom(next, i);
            }
        }
        return messages;
    }

    /** The definitions for a workload. */
    static Definitions definitions(Traffic traffic) {
        Path home = Path.of(System.getProperty("summarizer.home", "."));
        CheckResult result = DefinitionsCompiler.check(traffic.definitions(home));
        return result.definitions().orElseThrow(() -> new IllegalStateException(result.render()));
    }

    MessageBatch messages() {
        return messages;
    }

    /** Number of messages. */
    int count() {
        return messages.count();
    }

    /** Name of the event type of a message. */
    String type(int message) {
        return types[message];
    }

    /** Name of the event type of a message. */
    static String type(IMessage message) {
        String topic = new String(
                message.bytes(),
                message.offset(MessageBatch.TOPIC),
                message.length(MessageBatch.TOPIC),
                StandardCharsets.US_ASCII);
        return topic.startsWith("ad.click")
                ? "Click"
                : topic.startsWith("ad.conversion")
                        ? "Conversion"
                        : topic.startsWith("ad.auction") ? "Auction" : "Impression";
    }
}
