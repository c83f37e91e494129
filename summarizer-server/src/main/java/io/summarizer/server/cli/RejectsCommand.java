package io.summarizer.server.cli;

import static java.io.InputStream.nullInputStream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.summarizer.core.disk.DiskErrors;
import io.summarizer.server.json.Json;
import io.summarizer.server.replay.FrameFormat;
import io.summarizer.server.replay.FrameReader;
import io.summarizer.server.replay.Replay;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code rejects}: prints rejected messages as JSON, which people can read, correct and send again. */
@Command(
        name = "rejects",
        description = {
            "Prints rejected messages as JSON, one object per line.",
            "Each object has the message, the reason and the time. `replay - --format jsonl` sends the messages again."
                    + " The command changes nothing, and it may read the folder of a running service."
        })
final class RejectsCommand extends Subcommand {
    private static final String FRAMES = ".frames";
    private static final String PACKED = ".gz";
    private static final int BUFFER_BYTES = 64 * 1024;

    @Parameters(
            paramLabel = "FILE|DIR",
            description = "Files of frames, or folders of them. Default: data/rejects/ of the project.")
    private List<Path> inputs = new ArrayList<>();

    /** Whether the frames of a file could not be read to the end. */
    private boolean isLost;

    @Override
    public Integer call() throws IOException, CommandFailure {
        if (inputs.isEmpty()) {
            inputs.add(HomeFolder.path().resolve("data/rejects"));
        }
        try (OutputStream out = new BufferedOutputStream(terminal.data(), BUFFER_BYTES)) {
            for (Path input : inputs) {
                if (Files.isDirectory(input)) {
                    List<Path> frames = framesIn(input);
                    if (frames.isEmpty() && Files.isDirectory(input.resolve("rejects"))) {
                        throw new CommandFailure(
                                input + ": has no rejected messages; did you mean " + input.resolve("rejects") + "?");
                    }
                    for (Path file : frames) {
                        print(file, out);
                    }
                } else {
                    InputFile.check(input);
                    print(input, out);
                }
            }
        }
        return isLost ? Exit.FAILED : Exit.OK;
    }

    private static List<Path> framesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> name(file).contains(FRAMES)).sorted().toList();
        }
    }

    private void print(Path file, OutputStream out) throws IOException {
        String reason = name(file).split("\\.", 2)[0];
        Path index = index(file);
        long offset = 0;
        try (InputStream in = open(file);
                Index entries = new Index(
                        index, Files.isReadable(index) && !index.equals(file) ? open(index) : nullInputStream())) {
            FrameReader frames = new FrameReader(in, FrameFormat.OCTET);
            while (next(frames, file)) {
                write(frames, reason, entries.at(offset), out);
                offset += String.valueOf(frames.length()).length() + 1 + frames.length();
            }
        }
    }

    /** Opens a file. If it is damaged at its start, returns a stream without bytes. */
    private InputStream open(Path file) {
        try {
            InputStream in = Files.newInputStream(file);
            try {
                return Replay.unpacked(in);
            } catch (IOException e) {
                in.close();
                throw e;
            }
        } catch (IOException e) {
            lost(file, e);
            return nullInputStream();
        }
    }

    private void lost(Path file, IOException e) {
        terminal.err()
                .println(e instanceof FileSystemException ? DiskErrors.describe(e) : file + ": " + e.getMessage());
        isLost = true;
    }

    /** The index of a file of frames; each of both may be packed. */
    private static Path index(Path file) {
        Path index = file.resolveSibling(name(file).replace(FRAMES, ".log"));
        String name = name(index);
        Path other = index.resolveSibling(
                name.endsWith(PACKED) ? name.substring(0, name.length() - PACKED.length()) : name + PACKED);
        return Files.isReadable(index) ? index : other;
    }

    /**
     * Moves to the next frame. Returns false at the end, and at a frame that cannot be read, such as the incomplete
     * last frame of a file that is being written.
     */
    private boolean next(FrameReader frames, Path file) throws IOException {
        try {
            return frames.next();
        } catch (EOFException e) {
            terminal.err().println(file + ": " + e.getMessage());
        } catch (IOException e) {
            lost(file, e);
        }
        return false;
    }

    /** A rejected message, in base64 when it is not UTF-8. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Rejected(
            String reason,
            @Nullable String time,
            @Nullable String topic,
            @Nullable String detail,
            @Nullable String message,
            @Nullable String base64) {}

    private static void write(FrameReader frame, String reason, @Nullable JsonNode entry, OutputStream out)
            throws IOException {
        byte[] bytes = Arrays.copyOfRange(frame.buffer(), frame.offset(), frame.offset() + frame.length());
        String message = null;
        try {
            message = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            // Printed as bytes.
        }
        out.write(Json.bytes(new Rejected(
                reason,
                text(entry, "time"),
                text(entry, "topic"),
                text(entry, "detail"),
                message,
                message == null ? Base64.getEncoder().encodeToString(bytes) : null)));
        out.write('\n');
    }

    private static @Nullable String text(@Nullable JsonNode entry, String name) {
        return entry != null && entry.hasNonNull(name) ? entry.get(name).asText() : null;
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    /** The index beside a file of frames. The index has a line for each frame, in the same order. */
    private final class Index implements AutoCloseable {
        private final Path file;
        private final BufferedReader lines;
        private @Nullable JsonNode entry;
        private boolean isDamaged;

        Index(Path file, InputStream in) {
            this.file = file;
            lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        }

        /**
         * Returns the line of the frame at an offset; null when there is no such line. The offset must not decrease
         * between calls.
         */
        @Nullable
        JsonNode at(long offset) {
            while (entry == null || offsetOf(entry) < offset || isEmpty(entry)) {
                String line = line();
                if (line == null) {
                    return null;
                }
                try {
                    entry = Json.MAPPER.readTree(line);
                } catch (JsonProcessingException e) {
                    entry = null; // being written
                }
            }
            return offsetOf(entry) == offset ? entry : null;
        }

        /** The next line; null at the end, and where the file is damaged. */
        private @Nullable String line() {
            try {
                return isDamaged ? null : lines.readLine();
            } catch (IOException e) {
                isDamaged = true;
                lost(file, e);
                return null;
            }
        }

        private static long offsetOf(JsonNode entry) {
            return entry.path("offset").asLong(-1);
        }

        /** Whether an index line describes an empty message. An empty message has a line in the index, but no frame. */
        private static boolean isEmpty(JsonNode entry) {
            return entry.path("length").asLong() == 0;
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }
}
