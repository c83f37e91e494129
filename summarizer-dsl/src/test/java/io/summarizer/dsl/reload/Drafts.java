package io.summarizer.dsl.reload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Definitions that change at random, as people change them: fields and summaries are added, removed, renamed,
 * reordered, made wider. A field or summary that exists from the beginning and was never removed is {@code original}:
 * its contents do not depend on the times of changes.
 */
final class Drafts {
    static final String PROTO = """
            syntax = "proto3";
            message Hit { int64 id = 1; int32 small = 2; int64 amount = 3; string text = 4; }
            """;

    static final String SMALL_SET = "multiset64(log2m=9)";
    private static final String SET = "multiset64(log2m=12)";

    private final Random random;
    private final List<Summary> summaries = new ArrayList<>();
    private int names;

    static final class Field {
        final int number;
        String name;
        String type;
        final String expression;
        boolean original;

        Field(int number, String name, String type, String expression, boolean original) {
            this.number = number;
            this.name = name;
            this.type = type;
            this.expression = expression;
            this.original = original;
        }
    }

    static final class Summary {
        final String name;
        final boolean original;
        final List<Field> keys = new ArrayList<>();
        final List<Field> fields = new ArrayList<>();
        final List<Field> inner = new ArrayList<>();
        String innerName = "parts";
        int numbers = 10;

        Summary(String name, boolean original) {
            this.name = name;
            this.original = original;
        }
    }

    Drafts(Random random) {
        this.random = random;
        for (int i = 0; i < 3; i++) {
            summaries.add(summary("S" + i, true));
        }
    }

    List<Summary> summaries() {
        return summaries;
    }

    private Summary summary(String name, boolean original) {
        Summary summary = new Summary(name, original);
        summary.keys.add(new Field(1, "small", "int32", "small", true));
        summary.keys.add(new Field(2, "word", "string", "text", true));
        summary.fields.add(new Field(1, "n", "count", "1", true));
        for (int i = 0; i < 4; i++) {
            summary.fields.add(field(summary, original));
        }
        summary.inner.add(new Field(1, "n", "sumint32", "1", true));
        summary.inner.add(field(summary, original));
        return summary;
    }

    private Field field(Summary summary, boolean original) {
        int number = summary.numbers++;
        String name = "f" + names++;
        return switch (random.nextInt(7)) {
            case 0 -> new Field(number, name, "sumint32", "amount", original);
            case 1 -> new Field(number, name, "sumcurrency", "amount", original);
            case 2 -> new Field(number, name, "laststring", "concat(text, string(id))", original);
            case 3 -> new Field(number, name, "firstint64", "id", original);
            case 4 -> new Field(number, name, "maxint64", "amount", original);
            case 5 -> new Field(number, name, SET, "id", original);
            default -> new Field(number, name, "count", "if(amount > 5, 1, null)", original);
        };
    }

    /** Makes one to three changes. */
    void change() {
        for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
            Summary summary = summaries.get(random.nextInt(summaries.size()));
            List<Field> fields = random.nextInt(3) == 0 ? summary.inner : summary.fields;
            Field field = fields.get(random.nextInt(fields.size()));
            switch (random.nextInt(10)) {
                case 0 -> fields.add(random.nextInt(fields.size() + 1), field(summary, false));
                case 1 -> {
                    if (field.number >= 10 && fields.size() > 1) {
                        fields.remove(field);
                    }
                }
                case 2 -> field.name = "f" + names++;
                case 3 -> Collections.shuffle(fields, random);
                case 4 -> widen(field);
                case 5 -> Collections.shuffle(summary.keys, random);
                case 6 -> summary.keys.stream().filter(key -> key.number == 1).forEach(key -> key.type = "int64");
                case 7 -> summaries.add(random.nextInt(summaries.size() + 1), summary("T" + names++, false));
                case 8 -> {
                    if (summaries.stream().filter(other -> other.original).count() > 1 || !summary.original) {
                        summaries.remove(summary);
                    }
                }
                default -> {
                    summary.innerName = "parts" + names++;
                    Collections.shuffle(summaries, random);
                }
            }
        }
    }

    private static void widen(Field field) {
        switch (field.type) {
            case "sumint32", "count" -> field.type = "sumint64";
            case SET -> field.type = SMALL_SET;
            default -> {}
        }
    }

    /** The current definitions, with a key that is incompatible with any state. */
    String refused() {
        Summary summary = summaries.stream()
                .filter(candidate -> candidate.original)
                .findFirst()
                .orElseThrow();
        Field key = summary.keys.get(0);
        String type = key.type;
        key.type = "bool";
        try {
            return text();
        } finally {
            key.type = type;
        }
    }

    /** The current definitions. */
    String text() {
        StringBuilder text = new StringBuilder("import \"hit.proto\";\nevent Hit on \"hit.#\" as csv;\n");
        for (Summary summary : summaries) {
            text.append("summary ").append(summary.name).append(" {\n    key {");
            append(summary.keys, text);
            text.append(" }\n    value {");
            append(summary.fields, text);
            text.append("\n        summary Part { key { int64 part = 1; } value {");
            append(summary.inner, text);
            text.append(" } }\n        repeated Part ")
                    .append(summary.innerName)
                    .append(" = 2;\n    }\n}\n");
            text.append("map Hit into ").append(summary.name).append(" where amount >= 0 {\n    key {");
            for (Field key : summary.keys) {
                // A bool takes a condition, for any number of the column.
                text.append(' ').append(key.name).append(" = ");
                text.append(key.type.equals("bool") ? "amount > 1" : key.expression)
                        .append(';');
            }
            text.append(" }\n");
            updates(summary.fields, text);
            text.append("    ").append(summary.innerName).append("[part = amount % 3] {\n");
            updates(summary.inner, text);
            text.append("    }\n}\n");
        }
        return text.toString();
    }

    private static void append(List<Field> fields, StringBuilder text) {
        fields.forEach(field -> text.append(' ')
                .append(field.type)
                .append(' ')
                .append(field.name)
                .append(" = ")
                .append(field.number)
                .append(';'));
    }

    private static void updates(List<Field> fields, StringBuilder text) {
        fields.forEach(field -> text.append("    ")
                .append(field.name)
                .append(" += ")
                .append(field.expression)
                .append(";\n"));
    }
}
