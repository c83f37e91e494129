package io.summarizer.server.config;

import java.util.List;
import java.util.stream.Collectors;

/** An invalid configuration, with all its problems. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient List<ConfigProblem> problems;

    ConfigException(List<ConfigProblem> problems) {
        super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /**
     * All problems of a configuration: the problems of the file by line, then the problems of the environment, then the
     * problems of the command line.
     */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
