package io.summarizer.dsl.codegen;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A public final class while it is written: its imports, its fields, and its methods in the order of {@link #member}.
 * Not thread-safe.
 */
public final class JavaClass {
    /**
     * Maximum number of fields with a value in one class. A class file has at most 65,535 constants, and each field
     * takes several of them. Also, the code that initializes all fields of a class is limited to one method.
     */
    private static final int FIELDS = 250;

    /** The package of all generated classes. */
    public static final String PACKAGE = "io.summarizer.generated";

    private final String name;
    private final String comment;
    private final Names names = new Names();
    /** Simple name to qualified name. */
    private final TreeMap<String, String> imports = new TreeMap<>();

    private final Code fields = new Code();
    private final List<Code> members = new ArrayList<>();
    /** Nested classes, for fields that do not fit into one class file. */
    private final List<Code> holders = new ArrayList<>();

    /** The constants that {@link #number} has made, by wished name and value. */
    private final Map<String, String> numbers = new HashMap<>();

    private int initialized;
    private String declaration = "";

    /**
     * A class in {@link #PACKAGE}.
     *
     * @param name a name that no other generated class has
     * @param comment the description above the class
     */
    public JavaClass(String name, String comment) {
        this.name = name;
        this.comment = comment;
        imports.put(name, PACKAGE + '.' + name);
    }

    /** The simple name of the class. */
    public String name() {
        return name;
    }

    /**
     * The names of the class's fields and methods. A local variable may hide an instance field, so code refers to
     * instance fields with {@code this}. No local variable hides a static field, because only static fields have names
     * in capitals.
     */
    public Names names() {
        return names;
    }

    /**
     * The scope of names within a method. The names in {@code parameters}, and names that generated classes inherit,
     * are already taken in this scope.
     */
    public static Names locals(String... parameters) {
        Names names = new Names("event", "counts", "decimal", "message", "router", "updates", "nulls");
        for (String parameter : parameters) {
            names.reserve(parameter);
        }
        return names;
    }

    /** Sets the text after the class's name: {@code extends X implements Y}. */
    public JavaClass inherits(String declaration) {
        this.declaration = declaration;
        return this;
    }

    /**
     * The name of {@code type} within the class: the simple name, with an import, unless another type has taken the
     * simple name.
     */
    public String use(Class<?> type) {
        Class<?> outermost = type;
        for (Class<?> around = type; around != null; around = around.getEnclosingClass()) {
            outermost = around;
        }
        String canonical = type.getCanonicalName();
        @Nullable String other = imports.putIfAbsent(outermost.getSimpleName(), outermost.getName());
        boolean free = other == null || other.equals(outermost.getName());
        return free ? canonical.substring(outermost.getPackageName().length() + 1) : canonical;
    }

    /** The code for fields. */
    public Code fields() {
        return fields;
    }

    /** Adds a static field with this value and a name in capitals; returns the expression for the field. */
    public String constant(String type, String wish, String value) {
        return field("static final " + type, names.constant(wish), value, "");
    }

    /**
     * The expression for a static field that has a number as its value and a name in capitals. Compilers inline such a
     * field. Calls with equal names and equal numbers share a field.
     */
    public String number(String wish, int value) {
        return numbers.computeIfAbsent(wish + " = " + value, equal -> constant("int", wish, Integer.toString(value)));
    }

    /** Adds an instance field with this value; returns the expression for the field. */
    public String field(String type, String wish, String value) {
        return field("final " + type, names.variable(wish), value, "this.");
    }

    private String field(String type, String name, String value, String prefix) {
        int holder = initialized++ / FIELDS;
        if (holder == 0) {
            fields.line("private " + type + " " + name + " = " + value + ";");
            return prefix + name;
        }
        // These names are free, because no other names have an underscore before a number.
        String holderType = "Fields_" + holder;
        String instance = "fields_" + holder;
        if (holders.size() < holder) {
            holders.add(new Code().open("static final class " + holderType));
            fields.line("private final " + holderType + " " + instance + " = new " + holderType + "();");
        }
        holders.get(holder - 1).line(type + " " + name + " = " + value + ";");
        return (prefix.isEmpty() ? holderType : "this." + instance) + "." + name;
    }

    /** Starts another member, which the caller writes. */
    public Code member() {
        Code code = new Code();
        members.add(code);
        return code;
    }

    /** The text so far, as a compilation unit. */
    public GeneratedSource source() {
        Code file = new Code();
        file.line("package " + PACKAGE + ";").line("");
        imports.values().stream()
                .filter(type -> !type.startsWith("java.lang.") && !type.equals(PACKAGE + '.' + name))
                .sorted()
                .forEach(type -> file.line("import " + type + ";"));
        file.line("").line("/**");
        for (String line : JavaText.inComment(comment).split("\n")) {
            file.line(" * " + line);
        }
        file.line(" */");
        file.open("public final class " + name + (declaration.isEmpty() ? "" : " " + declaration));
        boolean first = fields.isEmpty();
        file.append(fields);
        for (Code member : members) {
            if (!member.isEmpty()) {
                if (!first) {
                    file.line("");
                }
                first = false;
                file.append(member);
            }
        }
        for (Code holder : holders) {
            file.line("").append(holder.close());
        }
        file.close();
        return new GeneratedSource(PACKAGE, name, file.toString());
    }
}
