package io.summarizer.bench.decode;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import java.nio.charset.StandardCharsets;

/**
 * The obvious code for CSV. It makes a String of the line and a String of each column, and parses numbers from the
 * columns.
 */
record SplitDecoder(AdPayloads payloads) implements Contender {
    @Override
    public long decode(int message) {
        IMessage envelope = payloads.messages().message(message);
        String line = new String(
                envelope.bytes(),
                envelope.offset(MessageBatch.PAYLOAD),
                envelope.length(MessageBatch.PAYLOAD),
                StandardCharsets.UTF_8);
        String[] columns = line.split(",", -1);
        int amounts = payloads.type(message).equals("Impression") ? 2 : 1;
        long digest = 0;
        // Skips the first column, the time, because no mapping uses it.
        for (int column = 1; column < columns.length; column++) {
            long value = column < columns.length - amounts
                    ? Long.parseLong(columns[column])
                    : Contender.millionths(Double.parseDouble(columns[column]));
            digest = Contender.digest(digest, value);
        }
        return digest;
    }
}
