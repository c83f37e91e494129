package io.summarizer.server.http;

import io.netty.handler.codec.http.HttpMethod;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.server.access.Role;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A row of the {@link Router}'s table: requests, the role that they need, and their handler. Immutable.
 *
 * @param path path as in the documentation; {@code NAME} stands for one segment, {@code FIELD} for one or several
 *     segments
 * @param role the role that a request needs; null when the resource is open to anybody, at all ports, even while the
 *     service starts
 * @param parameters the names of the query parameters that a request may have
 * @param repeats whether a parameter may be given more than once
 * @param change the effect of a POST, for a resource that takes only POST; null for a resource that takes GET and HEAD
 * @param help one or more lines for the list of resources; empty when the resource is not listed
 */
record Resource(
        String path,
        Pattern pattern,
        @Nullable Role role,
        List<String> parameters,
        boolean repeats,
        @Nullable Change change,
        String help,
        Handler handler) {
    /**
     * The effect of a request, and the command for it, as text.
     *
     * @param takesBody whether the request has a body, which the handler reads as it comes
     */
    record Change(String what, String command, boolean takesBody) {
        Change(String what, String command) {
            this(what, command, false);
        }
    }

    /** Answers requests. Called on the event loop; the answer may come later. */
    @FunctionalInterface
    interface Handler {
        void answer(Exchange exchange) throws BadRequestException, CsvQueryException;
    }

    static Resource get(String path, @Nullable Role role, String help, Handler handler) {
        return new Resource(path, pattern(path), role, List.of(), false, null, help, handler);
    }

    static Resource post(String path, Change change, String help, Handler handler) {
        return new Resource(path, pattern(path), Role.ADMIN, List.of(), false, change, help, handler);
    }

    /** Returns this resource with these parameters, each at most once. */
    Resource with(List<String> known) {
        return new Resource(path, pattern, role, known, false, change, help, handler);
    }

    /** Returns this resource with this parameter, any number of times. */
    Resource withAny(String known) {
        return new Resource(path, pattern, role, List.of(known), true, change, help, handler);
    }

    /** Whether this stands for the paths at which there is nothing. */
    boolean isNothing() {
        return help.isEmpty();
    }

    /** Whether requests of this resource have this method. */
    boolean isOf(HttpMethod method) {
        return method.equals(HttpMethod.POST) == (change != null);
    }

    /**
     * Matches a path with this resource's path; the groups of the match are the parts for {@code NAME} and {@code
     * FIELD}.
     */
    Matcher matcher(String asked) {
        return pattern.matcher(asked);
    }

    private static Pattern pattern(String path) {
        return Pattern.compile(
                path.replace(".", "\\.").replace("NAME", "([^/]+)").replace("FIELD", "(.+)"));
    }
}
