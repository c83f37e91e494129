package io.summarizer.server.access;

import io.summarizer.server.tls.FileStamps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/**
 * Decides whether a request is allowed, by the tokens of a file, which may be replaced at any time: {@link #refresh}
 * loads changes. If the file cannot be used, the previous one stays in force.
 *
 * <p>A token comes as {@code Authorization: Bearer TOKEN} (RFC 6750), or as the password of {@code Basic} (RFC 7617)
 * with any user name, because browsers and spreadsheets can send that. Any thread decides; one thread refreshes.
 */
public final class AccessControl {
    private static final System.Logger LOGGER = System.getLogger(AccessControl.class.getName());
    private static final String BEARER = "bearer ";
    private static final String BASIC = "basic ";

    private final Path file;
    private final LongAdder[] answers = new LongAdder[Answer.values().length];
    private final LongAdder reloads = new LongAdder();
    private final LongAdder failedReloads = new LongAdder();
    private FileStamps stamps;
    private volatile TokenFile tokens;
    private volatile boolean refused;

    /** Decision on a request. */
    public enum Answer {
        /** The request is allowed. */
        GRANTED,
        /** The request has no token. */
        MISSING,
        /** The header is malformed. */
        MALFORMED,
        /** The token is unknown. */
        UNKNOWN,
        /** The token's role does not suffice. */
        ROLE;

        /** The label in metrics. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Reads the file.
     *
     * @throws IOException when it cannot be used; the message says why
     */
    public AccessControl(Path file) throws IOException {
        this.file = file;
        Arrays.setAll(answers, i -> new LongAdder());
        stamps = FileStamps.of(List.of(file));
        tokens = TokenFile.read(file);
    }

    /**
     * Decides, and counts.
     *
     * @param credentials the values of all {@code Authorization} headers
     */
    public Answer decide(List<String> credentials, Role needed) {
        Answer answer = answer(credentials, needed);
        answers[answer.ordinal()].increment();
        return answer;
    }

    private Answer answer(List<String> credentials, Role needed) {
        if (credentials.isEmpty()) {
            return Answer.MISSING;
        }
        String token = credentials.size() == 1 ? token(credentials.get(0).strip()) : "";
        if (token.isEmpty()) {
            return Answer.MALFORMED;
        }
        TokenFile.Entry entry = tokens.find(token);
        if (entry == null) {
            return Answer.UNKNOWN;
        }
        return entry.role().covers(needed) ? Answer.GRANTED : Answer.ROLE;
    }

    /** Returns the token of a header; empty when there is none. */
    private static String token(String header) {
        if (header.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return header.substring(BEARER.length()).strip();
        }
        if (header.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            try {
                byte[] decoded = Base64.getDecoder()
                        .decode(header.substring(BASIC.length()).strip());
                String pair = new String(decoded, StandardCharsets.UTF_8);
                return pair.substring(pair.indexOf(':') + 1);
            } catch (IllegalArgumentException e) {
                return "";
            }
        }
        return "";
    }

    /** Reads the file again if it changed since the last look. */
    public void refresh() {
        FileStamps now = FileStamps.of(List.of(file));
        if (now.equals(stamps)) {
            return;
        }
        stamps = now;
        try {
            tokens = TokenFile.read(file);
            refused = false;
            reloads.increment();
            LOGGER.log(System.Logger.Level.INFO, "http: the tokens of " + file + " are in force, " + tokens.size());
        } catch (IOException e) {
            refused = true;
            failedReloads.increment();
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "http: the new tokens cannot be used, the old ones stay in force: " + e.getMessage());
        }
    }

    /** Number of requests with this answer. */
    public long count(Answer answer) {
        return answers[answer.ordinal()].sum();
    }

    /** Number of times that a changed file was loaded. */
    public long reloads() {
        return reloads.sum();
    }

    /** Number of times that a changed file could not be used. */
    public long failedReloads() {
        return failedReloads.sum();
    }

    /** Whether the tokens in force are those of the file. */
    public boolean isCurrent() {
        return !refused;
    }
}
