package io.summarizer.bench.advice;

import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.server.config.ConfigException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What a server is without being told, among the settings of a sweep. */
public final class Defaults {
    /** Factors of the load and not of the server. */
    static final Set<Factor> LOAD = EnumSet.of(Factor.WORKLOAD, Factor.CONNECTIONS);

    private Defaults() {}

    /**
     * The default setting with the newest JDK of {@code measured}, its name of the collector G1, and the usual load. Numbers of
     * workers are those of this machine.
     */
    public static Setting setting(Collection<Measured> measured) {
        EnumMap<Factor, String> values = new EnumMap<>(Factor.class);
        try {
            io.summarizer.bench.sweep.Defaults.of(Path.of(System.getProperty("summarizer.home", ".")), List.of())
                    .forEach((factor, value) -> values.put(Factor.valueOf(factor.name()), value));
        } catch (ConfigException e) {
            throw new IllegalArgumentException("the configuration file is refused: " + e.getMessage(), e);
        }
        dropIdleWait(values, Factor.PARSE_QUEUE, Factor.PARSE_WAIT);
        dropIdleWait(values, Factor.OWNER_QUEUE, Factor.OWNER_WAIT);
        values.put(Factor.JDK, newest(measured, Factor.JDK));
        values.put(
                Factor.GC,
                measured.stream()
                        .map(one -> one.setting().get(Factor.GC))
                        .filter(gc -> gc.toLowerCase(Locale.ROOT).contains("g1"))
                        .findFirst()
                        .orElse("G1"));
        for (Factor factor : LOAD) {
            values.put(factor, Results.usual(measured, factor));
        }
        return Setting.of(values);
    }

    /** Factors of the server in which two settings differ. */
    static Set<Factor> differences(Setting a, Setting b) {
        EnumSet<Factor> differing = EnumSet.copyOf(a.differences(b));
        differing.removeAll(LOAD);
        return differing;
    }

    /** Whether a queue's consumers poll, so that a wait means something. */
    static boolean polls(String queue) {
        return Arrays.stream(QueueKind.values())
                .anyMatch(kind -> kind.key().equals(queue) && !kind.waits().isEmpty());
    }

    /** Whether idle workers of a setting take CPU time: they do with any wait but a blocking one. */
    public static boolean burnsIdle(Setting setting) {
        return burns(setting.get(Factor.PARSE_WAIT)) || burns(setting.get(Factor.OWNER_WAIT));
    }

    private static boolean burns(String wait) {
        return !wait.isEmpty() && !wait.equals(word(WaitPolicy.BLOCKING));
    }

    /** A wait that the queue has no use for makes no difference, so it must not make two settings of one. */
    static void dropIdleWait(EnumMap<Factor, String> values, Factor queue, Factor wait) {
        if (!polls(values.getOrDefault(queue, ""))) {
            values.put(wait, "");
        }
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String newest(Collection<Measured> measured, Factor factor) {
        return measured.stream()
                .map(one -> one.setting().get(factor))
                .max(Numbers.NATURAL)
                .orElse("");
    }
}
