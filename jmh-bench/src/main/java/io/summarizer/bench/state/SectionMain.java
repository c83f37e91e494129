package io.summarizer.bench.state;

/** Runs one section, in a JVM that was started for it. */
public final class SectionMain {
    private SectionMain() {}

    /** Runs the section that the first argument names; the second, if there is one, is a number of rows. */
    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "large" -> LargeSection.run(Integer.parseInt(arguments[1]));
            case "updates" -> UpdateSection.run();
            case "export" -> ExportSection.run(Integer.parseInt(arguments[1]));
            case "multisets" -> MultisetSection.run();
            case "memory" -> MemorySection.run();
            case "rivals" -> RivalSection.run();
            default -> throw new IllegalArgumentException("no section " + arguments[0]);
        }
    }
}
