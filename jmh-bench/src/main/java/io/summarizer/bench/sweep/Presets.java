package io.summarizer.bench.sweep;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Selected sets of points. Each set is for one workload. */
public final class Presets {
    /** Pairs of queues of the same kind at both stages. */
    private static final List<List<String>> PAIRS = List.of(
            List.of("lbq", "lbq"), List.of("abq", "abq"), List.of("mpmc", "mpsc"), List.of("disruptor", "disruptor"));

    private static final List<Load> FEW_LOADS = List.of(Load.share(0.25), Load.share(0.5), Load.share(0.75));
    private static final List<Load> ONE_LOAD = List.of(Load.share(0.5));
    private static final List<Load> LEADERS_LOADS =
            List.of(Load.share(0.1), Load.share(0.25), Load.share(0.5), Load.share(0.75), Load.share(0.9));

    private Presets() {}

    /** Points that take ten minutes: all queues, some numbers of workers, all modes, and all JDKs. */
    public static List<Task> quick(Space space, List<String> jdks) {
        List<Task> tasks = new ArrayList<>();
        tasks.add(new Task(space.base(), 2, FEW_LOADS, 1));
        for (List<String> pair : PAIRS) {
            boolean polls = Factor.POLLING.contains(pair.get(1));
            tasks.add(new Task(space.with(queues(pair)), 2, polls ? ONE_LOAD : List.of(), 1));
        }
        tasks.add(new Task(space.with(workers(2, 1)), 2, List.of()));
        tasks.add(new Task(space.with(workers(1, 2)), 1, List.of()));
        tasks.add(new Task(space.with(workers(2, 2)), 1, List.of()));
        tasks.add(new Task(space.with(workers(3, 1)), 1, List.of()));
        for (String mode : List.of("inline", "locked")) {
            tasks.add(new Task(space.with(baseline(mode, 1)), 1, List.of()));
            tasks.add(new Task(space.with(baseline(mode, 2)), 2, mode.equals("inline") ? ONE_LOAD : List.of(), 1));
        }
        for (String jdk : jdks) {
            tasks.add(new Task(space.with(Map.of(Factor.JDK, jdk)), 1, List.of()));
        }
        return tasks;
    }

    /**
     * The points of the article. With queues, they are all combinations of pairs of queues, JDKs, 1 to 3 owners and 1
     * to 2 parser workers. Without queues, they are all combinations of both modes, JDKs, and 1 to 2 event loops. In
     * addition, there are points that differ from the default in one factor. {@link LeadersPlan} measures latency by
     * load.
     */
    public static List<Task> full(Space space, List<String> jdks, int repeats) {
        List<Task> tasks = new ArrayList<>();
        tasks.add(new Task(space.base(), repeats, List.of()));
        for (String jdk : jdks) {
            for (List<String> pair : PAIRS) {
                for (int owners = 1; owners <= 3; owners++) {
                    for (int parsers = 1; parsers <= 2; parsers++) {
                        tasks.add(new Task(
                                space.with(all(Map.of(Factor.JDK, jdk), queues(pair), workers(parsers, owners))),
                                repeats,
                                List.of()));
                    }
                }
            }
            for (String mode : List.of("inline", "locked")) {
                for (int netty = 1; netty <= 2; netty++) {
                    tasks.add(new Task(
                            space.with(all(Map.of(Factor.JDK, jdk), baseline(mode, netty))), repeats, List.of()));
                }
            }
        }
        for (Dimension dimension : oneAtATime()) {
            Space along = space.along(List.of(dimension));
            along.oneAtATime().forEach(point -> tasks.add(new Task(point, repeats, List.of())));
        }
        for (String wait : List.of("sleeping", "yielding", "busy-spin")) {
            tasks.add(new Task(
                    space.with(all(
                            queues(List.of("disruptor", "disruptor")),
                            Map.of(Factor.PARSE_WAIT, wait, Factor.OWNER_WAIT, wait))),
                    repeats,
                    List.of()));
        }
        return tasks;
    }

    /** Dimensions other than queues, workers and JDK. */
    private static List<Dimension> oneAtATime() {
        return List.of(
                Dimension.tied(
                        "capacity", Factor.PARSE_CAPACITY, Factor.OWNER_CAPACITY, List.of("16", "64", "1024", "4096")),
                Dimension.of(Factor.BATCH_MESSAGES, List.of("1", "8", "64", "512")),
                Dimension.of(Factor.GC, List.of("Parallel", "Serial", "ZGC")));
    }

    /** Pairs of queues, such as {@code mpmc-mpsc}. */
    public static List<String> pairs() {
        return PAIRS.stream().map(pair -> String.join("-", pair)).toList();
    }

    /** Loads at which the latency of the best points is measured. */
    public static List<Load> loads() {
        return LEADERS_LOADS;
    }

    private static Map<Factor, String> queues(List<String> pair) {
        return Map.of(Factor.MODE, "queued", Factor.PARSE_QUEUE, pair.get(0), Factor.OWNER_QUEUE, pair.get(1));
    }

    private static Map<Factor, String> workers(int parsers, int owners) {
        return Map.of(Factor.MODE, "queued", Factor.PARSE_WORKERS, "" + parsers, Factor.OWNER_WORKERS, "" + owners);
    }

    private static Map<Factor, String> baseline(String mode, int netty) {
        return Map.of(Factor.MODE, mode, Factor.NETTY_WORKERS, "" + netty);
    }

    @SafeVarargs
    private static Map<Factor, String> all(Map<Factor, String>... parts) {
        Map<Factor, String> all = new EnumMap<>(Factor.class);
        for (Map<Factor, String> part : parts) {
            all.putAll(part);
        }
        return all;
    }
}
