package io.summarizer.bench.decode;

import io.summarizer.core.message.MessageBatch;
import io.summarizer.dsl.check.CheckResult;
import io.summarizer.dsl.check.DefinitionsCompiler;
import io.summarizer.dsl.model.Definitions;
import io.summarizer.server.workload.AdsWorkload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Messages of the reference workload in one batch, their payloads sliced as the receiver does it, and their event
 * types.
 */
final class AdPayloads {
    private static final int FIELDS = 7;
    private static final int TOPIC = 5;

    private final MessageBatch messages;
    private final String[] types;

    private AdPayloads(byte[] lines, int count) {
        messages = new MessageBatch(lines.length);
        types = new String[count];
        System.arraycopy(lines, 0, messages.bytes(), 0, lines.length);
        messages.limit(lines.length);
        slice(lines);
    }

    /** Makes the first messages of the flat workload, or of the nested one. */
    static AdPayloads of(boolean nested, int count) throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        (nested ? AdsWorkload.v2(1) : AdsWorkload.v1(1)).writeTo(lines, count);
        return new AdPayloads(lines.toByteArray(), count);
    }

    /** The definitions of {@code schemas/}, for which the workload is made. */
    static Definitions definitions() {
        CheckResult result = DefinitionsCompiler.check(Path.of(System.getProperty("summarizer.home", "."), "schemas"));
        return result.definitions().orElseThrow(() -> new IllegalStateException(result.render()));
    }

    private void slice(byte[] bytes) {
        int from = 0;
        for (int event = 0; event < types.length; event++) {
            int space = from;
            int topic = 0;
            for (int field = 0; field < FIELDS; field++) {
                topic = field == TOPIC ? space : topic;
                while (bytes[space++] != ' ') {}
            }
            int end = space;
            while (bytes[end] != '\n') {
                end++;
            }
            types[event] = type(new String(bytes, topic, space - topic, StandardCharsets.US_ASCII));
            int message = messages.append(from, end - from);
            messages.slice(message, MessageBatch.PAYLOAD, space, end - space);
            from = end + 1;
        }
    }

    private static String type(String topic) {
        return topic.startsWith("ad.click")
                ? "Click"
                : topic.startsWith("ad.conversion")
                        ? "Conversion"
                        : topic.startsWith("ad.auction") ? "Auction" : "Impression";
    }

    MessageBatch messages() {
        return messages;
    }

    /** Number of messages. */
    int count() {
        return types.length;
    }

    /** Name of the event type of a message. */
    String type(int message) {
        return types[message];
    }
}
