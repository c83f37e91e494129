package io.summarizer.core.decode;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names of an enum's constants, by number. Immutable.
 *
 * <p>A number without a name stays its decimal text, and a text that is neither a name nor a number stays what it is:
 * enums grow at the sender first, and an unknown constant is better counted under its own name than lost.
 */
public final class EnumNames {
    private final Map<Long, byte[]> names = new HashMap<>();

    /** Names by number; of aliases, the first defined is the name. */
    public EnumNames(Map<Integer, String> names) {
        names.forEach((number, name) -> this.names.put((long) number, name.getBytes(StandardCharsets.UTF_8)));
    }

    /** The name of constant {@code number} as UTF-8, null when it has none. Not to be written. */
    byte @Nullable [] name(long number) {
        return names.get(number);
    }
}
