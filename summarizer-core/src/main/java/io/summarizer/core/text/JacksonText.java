package io.summarizer.core.text;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Texts of Jackson's exceptions, for users. Stateless. */
public final class JacksonText {
    private static final int CHARS_MAX = 160;

    /** The parts of a text that name Jackson's own features and sources. */
    private static final Pattern OWN = Pattern.compile("(\\R|: enable `|: expected close marker).*", Pattern.DOTALL);

    private JacksonText() {}

    /**
     * Returns why a document is not JSON, from the message of an exception without its location. Leaves out the names
     * of Jackson's own, and shortens a long text.
     */
    public static String reason(@Nullable String message) {
        if (message == null) {
            return "not JSON";
        }
        String plain = OWN.matcher(message).replaceFirst("");
        return "not JSON: " + (plain.length() > CHARS_MAX ? plain.substring(0, CHARS_MAX) + "..." : plain);
    }
}
