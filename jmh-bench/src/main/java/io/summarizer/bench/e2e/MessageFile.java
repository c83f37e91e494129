package io.summarizer.bench.e2e;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A file of messages, one on each line, with their offsets. The messages repeat without end: message {@code n} is
 * message {@code n % count} of the file. The file has less than 2 GiB. Immutable, may be shared.
 */
public final class MessageFile implements AutoCloseable {
    private final FileChannel channel;
    private final ByteBuffer bytes;
    /** Offsets of all messages and of the end. */
    private final int[] starts;

    private final int count;

    /** Opens a file. */
    public MessageFile(Path file) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.READ);
        if (channel.size() > Integer.MAX_VALUE) {
            throw new IOException(file + " has " + channel.size() + " bytes; at most 2 GiB can be sent");
        }
        bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
        int[] found = new int[1024];
        int messages = 0;
        for (int i = 0; i < bytes.limit(); i++) {
            if (bytes.get(i) == '\n') {
                if (messages + 1 == found.length) {
                    found = Arrays.copyOf(found, 2 * found.length);
                }
                found[++messages] = i + 1;
            }
        }
        if (messages == 0 || found[messages] != bytes.limit()) {
            throw new IOException(file + " is not a file of lines");
        }
        starts = Arrays.copyOf(found, messages + 1);
        count = messages;
    }

    /** Messages in the file. */
    public int count() {
        return count;
    }

    /** The file, for transfers. */
    FileChannel channel() {
        return channel;
    }

    /** Offset of a message, or of the end. */
    int start(int message) {
        return starts[message];
    }

    /** The length of a message with its line feed: a part of {@link #bytes}. */
    int length(int message) {
        return starts[message + 1] - starts[message];
    }

    /** A message without its line feed. */
    public byte[] message(int message) {
        byte[] copy = new byte[length(message) - 1];
        bytes.get(start(message), copy);
        return copy;
    }

    /** All bytes. Callers must read them only by absolute positions. */
    ByteBuffer bytes() {
        return bytes;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
