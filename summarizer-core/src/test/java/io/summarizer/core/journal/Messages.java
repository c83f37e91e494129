package io.summarizer.core.journal;

import io.summarizer.core.message.IMessage;
import io.summarizer.core.message.MessageBatch;
import io.summarizer.core.message.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Batches of messages as text, and back: a rejected message begins with its reason and a colon. */
final class Messages {
    private Messages() {}

    static MessageBatch batch(List<String> messages) {
        MessageBatch batch = new MessageBatch(1024);
        for (String message : messages) {
            RejectReason reason = reason(message);
            byte[] frame = frame(message, reason);
            int offset = batch.limit() + 1; // bytes between frames, as on the wire
            batch.ensureCapacity(offset + frame.length);
            System.arraycopy(frame, 0, batch.bytes(), offset, frame.length);
            batch.limit(offset + frame.length);
            int number = batch.append(offset, frame.length);
            if (reason != RejectReason.NONE) {
                batch.reject(number, reason);
            }
        }
        batch.firstStamp(1_000);
        return batch;
    }

    static MessageBatch batch(String... messages) {
        return batch(List.of(messages));
    }

    private static RejectReason reason(String message) {
        for (RejectReason reason : RejectReason.values()) {
            if (message.startsWith(reason.label() + ":")) {
                return reason;
            }
        }
        return RejectReason.NONE;
    }

    private static byte[] frame(String message, RejectReason reason) {
        String text = reason == RejectReason.NONE
                ? message
                : message.substring(reason.label().length() + 1);
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static List<String> of(MessageBatch batch) {
        List<String> messages = new ArrayList<>();
        for (int i = 0; i < batch.count(); i++) {
            IMessage message = batch.message(i);
            String frame = new String(
                    batch.bytes(),
                    message.offset(MessageBatch.FRAME),
                    message.length(MessageBatch.FRAME),
                    StandardCharsets.ISO_8859_1);
            RejectReason reason = message.rejectReason();
            messages.add(reason == RejectReason.NONE ? frame : reason.label() + ":" + frame);
        }
        return messages;
    }

    /** Random messages, mostly short; some like text, some like noise. */
    static List<String> random(Random random, int countMax, int bytesMax) {
        List<String> messages = new ArrayList<>();
        int count = 1 + random.nextInt(countMax);
        boolean noise = random.nextInt(3) == 0;
        for (int i = 0; i < count; i++) {
            int length = random.nextInt(10) == 0 ? random.nextInt(bytesMax) : random.nextInt(80);
            StringBuilder text = new StringBuilder("<1>" + random.nextInt(1 << 30));
            while (text.length() < length) {
                text.append((char) (noise ? random.nextInt(256) : 'a' + random.nextInt(2)));
            }
            String reason = switch (random.nextInt(20)) {
                case 0 -> "frame:";
                case 1 -> "oversize:";
                case 2 -> "envelope:";
                default -> "";
            };
            messages.add(reason + text);
        }
        if (random.nextInt(10) == 0) {
            messages.set(0, ""); // an empty frame
        }
        return messages;
    }
}
