package io.summarizer.bench.report;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Processor time that the threads of another process have used so far, in seconds by thread name. Threads whose names
 * differ only in numbers are added up. Linux cuts names to 15 characters. Immutable.
 */
public record ThreadTimes(Map<String, Double> seconds) {
    /** Clock ticks per second in {@code /proc}; the number is the same on all current Linux systems. */
    private static final double TICKS = 100;

    /** Position of the user time among the fields that follow the name. */
    private static final int USER_TIME = 11;

    private static final int SHOWN = 6;

    /** No time. */
    public static final ThreadTimes NONE = new ThreadTimes(Map.of());

    public ThreadTimes {
        seconds = Map.copyOf(seconds);
    }

    /** The times of a process; empty when the process has ended, or the system has no {@code /proc}. */
    public static ThreadTimes of(long pid) {
        Map<String, Double> seconds = new HashMap<>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path thread : threads) {
                String stat = Files.readString(thread.resolve("stat"));
                int end = stat.lastIndexOf(')');
                String name = stat.substring(stat.indexOf('(') + 1, end).replaceAll("[-# /]*\\d+.*", "");
                String[] fields = stat.substring(end + 2).split(" ");
                double time = (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1])) / TICKS;
                seconds.merge(name, time, Double::sum);
            }
        } catch (IOException e) {
            return NONE;
        }
        return new ThreadTimes(seconds);
    }

    /** The time since {@code before}. */
    public ThreadTimes since(ThreadTimes before) {
        Map<String, Double> passed = new HashMap<>();
        seconds.forEach((name, now) -> passed.put(name, now - before.seconds.getOrDefault(name, 0.0)));
        return new ThreadTimes(passed);
    }

    /** The sum of all threads. */
    public double total() {
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** The threads that worked most, in µs for each of {@code events}. */
    public String perEvent(double events) {
        return seconds.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(SHOWN)
                .map(entry -> String.format(Locale.ROOT, "%s %.3f", entry.getKey(), entry.getValue() / events * 1e6))
                .collect(Collectors.joining(", "));
    }
}
