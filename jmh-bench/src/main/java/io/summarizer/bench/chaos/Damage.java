package io.summarizer.bench.chaos;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Damage that disks and people do to files. Stateless. */
final class Damage {
    private static final int TRUNCATED_ONE_IN = 3;

    private Damage() {}

    /** Returns the matching files of a folder, ordered by name. The result is empty when the folder does not exist. */
    static List<Path> files(Path folder, Predicate<String> names) throws IOException {
        if (Files.notExists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> names.test(String.valueOf(file.getFileName())))
                    .sorted()
                    .toList();
        }
    }

    /**
     * Flips a bit of a file, or cuts the file off, at a random position in a range.
     *
     * @param to end of the range, exclusive
     * @return a description of the damage
     */
    static String doTo(Path file, long from, long to, SplittableRandom random) throws IOException {
        long at = random.nextLong(from, to);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            if (random.nextInt(TRUNCATED_ONE_IN) == 0) {
                channel.truncate(at);
                return file.getFileName() + " cut off at byte " + at;
            }
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            int bit = random.nextInt(Byte.SIZE);
            one.put(0, (byte) (one.get(0) ^ (1 << bit)));
            one.flip();
            channel.write(one, at);
            return "bit " + bit + " of byte " + at + " of " + file.getFileName() + " flipped";
        }
    }
}
