package io.summarizer.server.cli;

import io.summarizer.core.export.CsvQueryException;
import io.summarizer.server.config.ConfigException;
import io.summarizer.server.service.DefinitionsException;
import io.summarizer.server.service.RefusedConfigException;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.ParameterException;

/** The exit codes of all commands, and the only place that maps failures to them. Stateless. */
final class Exit {
    /** Success. */
    static final int OK = 0;
    /** The command did its work, and its answer is no. */
    static final int NO = 1;
    /** An option, the configuration or a query is wrong. */
    static final int USAGE = 2;
    /** The command could not do its work. */
    static final int FAILED = 3;
    /**
     * The reader of standard output closed the pipe. The code is the one that a shell reports for a program ended by
     * SIGPIPE.
     */
    static final int CLOSED_PIPE = 128 + 13;

    private static final int FORBIDDEN = 403;
    static final int UNAUTHORIZED = 401;
    private static final int TIMEOUT = 408;
    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;
    private static final int TOO_MANY = 429;

    private Exit() {}

    /** Returns the exit code for a failure. */
    static int of(Throwable failure) {
        if (failure instanceof CommandFailure command) {
            return command.exit();
        }
        if (failure instanceof DefinitionsException definitions) {
            return definitions.isUnreadable() ? FAILED : NO;
        }
        if (failure instanceof CsvQueryException query && query.reason() == CsvQueryException.Reason.TOO_COSTLY) {
            return NO;
        }
        return failure instanceof ParameterException
                        || failure instanceof ConfigException
                        || failure instanceof RefusedConfigException
                        || failure instanceof CsvQueryException
                ? USAGE
                : FAILED;
    }

    /** Returns the exit code for a status of the service other than 200. */
    static int ofStatus(int status) {
        return switch (status) {
            case CONFLICT, UNPROCESSABLE -> NO;
            case UNAUTHORIZED, FORBIDDEN, TIMEOUT, TOO_MANY -> FAILED;
            default -> status / 100 == 4 ? USAGE : FAILED;
        };
    }

    /**
     * The exit codes and their meanings, for the help and the manual.
     *
     * @param no meaning of {@link #NO} for this command
     */
    static Map<String, String> help(String no) {
        Map<String, String> codes = new LinkedHashMap<>();
        codes.put(String.valueOf(OK), "All is well.");
        codes.put(String.valueOf(NO), no);
        codes.put(String.valueOf(USAGE), "An option, the configuration or a query is wrong.");
        codes.put(
                String.valueOf(FAILED),
                "The command could not do its work: a file is unreadable, framing was lost, a port is taken, memory is full, the service does not"
                        + " answer, or answers 401, 403 or 5xx.");
        return codes;
    }
}
