package io.summarizer.core.export;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A reader of CSV by the letter of RFC 4180, with LF for CRLF; an unquoted empty field is null. */
public final class Rfc4180 {
    private final String text;
    private int at;

    private Rfc4180(String text) {
        this.text = text;
    }

    /** The records of a CSV, the header included. */
    public static List<List<@Nullable String>> parse(String text) {
        return new Rfc4180(text).file();
    }

    private List<List<@Nullable String>> file() {
        List<List<@Nullable String>> records = new ArrayList<>();
        while (at < text.length()) {
            List<@Nullable String> fields = new ArrayList<>();
            fields.add(field());
            while (text.charAt(at) == ',') {
                at++;
                fields.add(field());
            }
            expect('\n');
            records.add(fields);
        }
        return records;
    }

    private @Nullable String field() {
        if (text.charAt(at) == '"') {
            return quoted();
        }
        int from = at;
        while (",\n\r\"".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return from == at ? null : text.substring(from, at);
    }

    private String quoted() {
        StringBuilder field = new StringBuilder();
        expect('"');
        while (true) {
            if (text.charAt(at) != '"') {
                field.append(text.charAt(at++));
            } else if (at + 1 < text.length() && text.charAt(at + 1) == '"') {
                field.append('"');
                at += 2;
            } else {
                at++;
                return field.toString();
            }
        }
    }

    private void expect(char c) {
        if (text.charAt(at) != c) {
            throw new AssertionError("expected " + (int) c + " at " + at + ", not " + (int) text.charAt(at));
        }
        at++;
    }
}
