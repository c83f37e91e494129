package io.summarizer.bench.state;

/** The main program of a JVM that was started to run one section. */
public final class SectionMain {
    private SectionMain() {}

    /** Runs the section that the first argument names. The second argument, if given, is a number of rows. */
    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "large" -> LargeSection.run(Integer.parseInt(arguments[1]));
            case "updates" -> UpdateSection.run();
            case "export" -> ExportSection.run(Integer.parseInt(arguments[1]));
            case "multisets" -> MultisetSection.run();
            case "memory" -> MemorySection.run();
            case "rivals" -> RivalSection.run();
            case "open" -> OpenWindowSection.run();
            case "close" -> CloseSection.run(Integer.parseInt(arguments[1]));
            case "files" -> WindowFileSection.run(Integer.parseInt(arguments[1]));
            case "pull" -> WindowPullSection.run();
            case "rollup" -> RollupSection.run(Integer.parseInt(arguments[1]));
            default -> throw new IllegalArgumentException("no section " + arguments[0]);
        }
    }
}
