package io.summarizer.server.access;

import io.summarizer.server.tls.FileBacked;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/**
 * Decides by the tokens in a file whether a request is allowed. The file may be replaced at any time; {@link #refresh}
 * loads the new content. If the new file cannot be used, the tokens of the previous file stay in force.
 *
 * <p>A client sends its token as {@code Authorization: Bearer TOKEN} (RFC 6750). Browsers and spreadsheets can only
 * send passwords. So {@code Basic} (RFC 7617) is accepted, too: the password must be the token, and the user name does
 * not matter. Any thread may call {@link #decide}; one thread calls {@link #refresh}.
 */
public final class AccessControl extends FileBacked<TokenFile> {
    private static final String BEARER = "bearer ";
    private static final String BASIC = "basic ";

    private final Path file;
    private final LongAdder[] answers = new LongAdder[Answer.values().length];

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
     * @throws IOException when the file cannot be used; the message says why
     */
    public AccessControl(Path file) throws IOException {
        super(List.of(file), () -> TokenFile.read(file));
        this.file = file;
        Arrays.setAll(answers, i -> new LongAdder());
    }

    /**
     * Decides on a request, and counts the answer.
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
        TokenFile.Entry entry = held().find(token);
        if (entry == null) {
            return Answer.UNKNOWN;
        }
        return entry.role().covers(needed) ? Answer.GRANTED : Answer.ROLE;
    }

    /** Returns the token in a header; empty when the header has none. */
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

    @Override
    protected String changed(TokenFile now) {
        return "http: the tokens of " + file + " are in force, " + now.size();
    }

    @Override
    protected String unusable() {
        return "http: the new tokens cannot be used, the old ones stay in force";
    }

    /** Number of requests with this answer. */
    public long count(Answer answer) {
        return answers[answer.ordinal()].sum();
    }
}
