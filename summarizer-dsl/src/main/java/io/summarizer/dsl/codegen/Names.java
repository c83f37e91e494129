package io.summarizer.dsl.codegen;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.lang.model.SourceVersion;

/**
 * A scope of generated code, with the names that are taken in it. Gives out free names. Not thread-safe.
 */
public final class Names {
    /** Words that have a special meaning in Java although they are not keywords. */
    private static final Set<String> RESERVED = Set.of("var", "record", "yield");

    private static final int MAX_LENGTH = 40;

    private final Set<String> taken = new HashSet<>();
    /** For each name that was taken before, the next number to try. */
    private final Map<String, Integer> numbers = new HashMap<>();

    /** A scope, in which the names in {@code taken} are not free. */
    public Names(String... taken) {
        this.taken.addAll(Set.of(taken));
    }

    /**
     * A free name for a variable or method, derived from {@code wish}: {@code campaign_id} becomes {@code campaignId}.
     */
    public String variable(String wish) {
        return take(camel(wish, false));
    }

    /** Takes a name, even if it is taken already. */
    public void reserve(String name) {
        taken.add(name);
    }

    /** A free name, in capitals, for a constant, derived from {@code wish}. No variable has a name in capitals. */
    public String constant(String wish) {
        String name =
                wish.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]+", "_").replaceFirst("^(?=[0-9])", "_");
        return take(name.substring(0, Math.min(name.length(), MAX_LENGTH)));
    }

    /** A free name for a class, derived from {@code wish}: {@code http.Request} becomes {@code HttpRequest}. */
    public String type(String wish) {
        return take(camel(wish, true));
    }

    private String take(String name) {
        String free = name;
        if (isTaken(name)) {
            String stem = Character.isDigit(name.charAt(name.length() - 1)) ? name + "_" : name;
            int number = numbers.getOrDefault(name, 2);
            while (isTaken(stem + number)) {
                number++;
            }
            free = stem + number;
            numbers.put(name, number + 1);
        }
        taken.add(free);
        return free;
    }

    private boolean isTaken(String name) {
        return SourceVersion.isKeyword(name, SourceVersion.RELEASE_17)
                || RESERVED.contains(name)
                || taken.contains(name);
    }

    private static String camel(String wish, boolean type) {
        StringBuilder name = new StringBuilder();
        boolean upper = type;
        for (int i = 0; i < wish.length() && name.length() < MAX_LENGTH; i++) {
            char c = wish.charAt(i);
            if (!isLetter(c) && !(c >= '0' && c <= '9')) {
                upper = type || name.length() > 0;
                continue;
            }
            if (name.length() == 0 && !isLetter(c)) {
                name.append(type ? "N" : "n");
            }
            String letter = String.valueOf(c);
            name.append(
                    upper
                            ? letter.toUpperCase(Locale.ROOT)
                            : name.length() == 0 ? letter.toLowerCase(Locale.ROOT) : letter);
            upper = false;
        }
        return name.length() == 0 ? (type ? "Unnamed" : "unnamed") : name.toString();
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}
