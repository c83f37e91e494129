package io.summarizer.bench.chaos;

import io.summarizer.bench.report.Processes;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A wall clock for processes that start with its {@link #environment}. The clock can be set while the processes run;
 * the clock of the machine does not change. The clock is a library in C that this machine's compiler builds. The
 * processes load this library before the C library. One thread.
 */
final class WallClock {
    private static final List<Path> COMPILERS = Stream.of("/usr/bin/cc", "/usr/bin/gcc", "/usr/local/bin/cc")
            .map(Path::of)
            .toList();
    private static final String SOURCE = "wall-clock.c";

    private final Path library;
    private final Path file;
    private Duration ahead = Duration.ZERO;

    private WallClock(Path library, Path file) {
        this.library = library;
        this.file = file;
    }

    /** Whether this machine has Linux, a C compiler and the headers of the C library. */
    static boolean isPossible() {
        return File.separatorChar == '/'
                && System.getProperty("os.name").equals("Linux")
                && COMPILERS.stream().anyMatch(Files::isExecutable)
                && Files.exists(Path.of("/usr/include/dlfcn.h"));
    }

    /** Makes a clock that agrees with the clock of the machine. */
    static WallClock make(Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path source = folder.resolve(SOURCE);
        try (InputStream in = WallClock.class.getResourceAsStream(SOURCE)) {
            if (in == null) {
                throw new IOException(SOURCE + " is not among the resources");
            }
            Files.write(source, in.readAllBytes());
        }
        Path library = folder.resolve("wall-clock.so");
        Path compiler = COMPILERS.stream()
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IOException("there is no C compiler"));
        Processes.run(compiler.toString(), "-shared", "-fPIC", "-O2", "-o", library.toString(), source.toString());
        WallClock clock = new WallClock(library, folder.resolve("wall-clock.offset"));
        clock.set(Duration.ZERO);
        return clock;
    }

    /** The variables that a process needs in its environment. */
    Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "WALL_CLOCK", file.toString());
    }

    /** Sets the clock, for running processes and for those that start later. */
    void set(Duration ahead) throws IOException {
        ByteBuffer seconds = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        seconds.putLong(0, ahead.toSeconds());
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) { // in one write
            channel.write(seconds, 0);
        }
        this.ahead = ahead;
    }

    /** Time by which this clock is ahead of the machine's clock. */
    Duration ahead() {
        return ahead;
    }
}
