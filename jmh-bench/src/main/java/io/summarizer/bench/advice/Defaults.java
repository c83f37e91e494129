package io.summarizer.bench.advice;

import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.config.ConfigLoader;
import io.summarizer.server.config.ServerConfig;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What a server does that nothing was configured for, among the settings of a sweep. */
public final class Defaults {
    /** Factors of the load and not of the server. */
    static final Set<Factor> LOAD = EnumSet.of(Factor.WORKLOAD, Factor.CONNECTIONS);

    private Defaults() {}

    /**
     * The default setting with the newest JDK of {@code measured}, its name of the collector G1, and the usual load. Numbers of
     * workers are those of this machine.
     */
    public static Setting setting(Collection<Measured> measured) {
        ServerConfig.Pipeline pipeline;
        try {
            pipeline =
                    ConfigLoader.load(Path.of("."), null, Map.of(), List.of()).pipeline();
        } catch (ConfigException e) {
            throw new IllegalStateException("the defaults are refused", e);
        }
        EnumMap<Factor, String> values = new EnumMap<>(Factor.class);
        values.put(Factor.MODE, word(pipeline.mode()));
        values.put(Factor.NETTY_WORKERS, "" + pipeline.nettyWorkers());
        PipelineOptions.Stage parse = pipeline.parse();
        values.put(Factor.PARSE_QUEUE, parse.queue().key());
        values.put(Factor.PARSE_WAIT, wait(parse));
        values.put(Factor.PARSE_CAPACITY, "" + parse.capacity());
        values.put(Factor.PARSE_WORKERS, "" + parse.workers());
        PipelineOptions.Stage summarize = pipeline.summarize();
        values.put(Factor.OWNER_QUEUE, summarize.queue().key());
        values.put(Factor.OWNER_WAIT, wait(summarize));
        values.put(Factor.OWNER_CAPACITY, "" + summarize.capacity());
        values.put(Factor.OWNER_WORKERS, "" + summarize.workers());
        values.put(Factor.BATCH_MESSAGES, "" + pipeline.batching().messages());
        values.put(
                Factor.LINGER_US,
                "" + TimeUnit.NANOSECONDS.toMicros(pipeline.batching().linger().toNanos()));
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

    private static String wait(PipelineOptions.Stage stage) {
        return polls(stage.queue().key()) ? word(stage.waitPolicy()) : "";
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
