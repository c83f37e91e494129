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
 * Decides who may ask for what, by the tokens of a file, which may be replaced at any time: {@link #refresh} takes up what changed.
 * A file that cannot be used is not, and the one before stays in force.
 *
 * <p>A token comes as {@code Authorization: Bearer TOKEN} (RFC 6750), or as the password of {@code Basic} (RFC 7617), whoever the user
 * is said to be: that is what browsers and spreadsheets can do. Any thread; one refreshes.
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

    /** What comes of a request. */
    public enum Answer {
        /** Whoever asks may. */
        GRANTED,
        /** No token came. */
        MISSING,
        /** What came is no way to send one. */
        MALFORMED,
        /** A token came, and nobody's. */
        UNKNOWN,
        /** It is one that may not do this. */
        ROLE;

        /** As metrics have it. */
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

    /** The token in a header; empty when there is none. */
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

    /** Reads the file anew if it changed since it was last looked at. */
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

    /** Requests with this answer. */
    public long count(Answer answer) {
        return answers[answer.ordinal()].sum();
    }

    /** Times that a changed file was taken up. */
    public long reloads() {
        return reloads.sum();
    }

    /** Times that a changed file could not be used. */
    public long failedReloads() {
        return failedReloads.sum();
    }

    /** Whether what is in force is what the file holds. */
    public boolean isCurrent() {
        return !refused;
    }
}
