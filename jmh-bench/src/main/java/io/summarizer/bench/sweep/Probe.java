package io.summarizer.bench.sweep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The probes: events of a separate type, counted by a separate summary. Their latency is measured while the server does
 * its usual work.
 */
final class Probe {
    /** The summary that counts probes. */
    static final String SUMMARY = "SweepProbes";

    private static final String PROTO = """
            syntax = "proto3";
            package sweep;
            message SweepProbe { int64 number = 1; }
            """;
    private static final String SUMM = """
            import "sweep-probe.proto";
            event SweepProbe on "sweep.probe" as csv;
            summary SweepProbes { key { int64 id = 1; } value { count n = 1; maxint64 last = 2; } }
            map SweepProbe into SweepProbes { key { id = 0; } n += 1; last += number; }
            """;

    private Probe() {}

    /** Copies a folder of definitions, and adds the definitions of the probes. */
    static void define(Path definitions, Path copy) throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(definitions)) {
            files = walk.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            Path target = copy.resolve(definitions.relativize(file));
            Files.createDirectories(target.getParent());
            Files.copy(file, target);
        }
        Files.writeString(copy.resolve("sweep-probe.proto"), PROTO);
        Files.writeString(copy.resolve("sweep-probe.summ"), SUMM);
    }
}
