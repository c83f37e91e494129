package io.summarizer.dsl.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A public final class being written: its imports, its fields, its methods in the order of {@link #member}. Not
 * thread-safe.
 */
public final class JavaClass {
    /** Where all generated classes are. */
    public static final String PACKAGE = "io.summarizer.generated";

    private final String name;
    private final String comment;
    private final Names names = new Names();
    /** Simple name to qualified name. */
    private final TreeMap<String, String> imports = new TreeMap<>();

    private final Code fields = new Code();
    private final List<Code> members = new ArrayList<>();
    private String declaration = "";

    /**
     * A class in {@link #PACKAGE}.
     *
     * @param name free among the generated classes
     * @param comment what it is, above it
     */
    public JavaClass(String name, String comment) {
        this.name = name;
        this.comment = comment;
        imports.put(name, PACKAGE + '.' + name);
    }

    /** Its simple name. */
    public String name() {
        return name;
    }

    /**
     * The names of its fields and methods. A local variable may hide a field, so code speaks of instance fields with
     * {@code this}, and static ones are in capitals.
     */
    public Names names() {
        return names;
    }

    /** The names within a method: those that generated classes inherit are taken, and the {@code parameters}. */
    public static Names locals(String... parameters) {
        Names names = new Names("event", "counts", "decimal", "message", "router", "updates", "nulls");
        for (String parameter : parameters) {
            names.reserve(parameter);
        }
        return names;
    }

    /** Says what stands behind the class's name: {@code extends X implements Y}. */
    public JavaClass inherits(String declaration) {
        this.declaration = declaration;
        return this;
    }

    /** The name by which the class may speak of {@code type}: imported, unless another one took the simple name. */
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

    /** Fields are written here. */
    public Code fields() {
        return fields;
    }

    /** Starts a further member, to be written by the caller. */
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
        file.close();
        return new GeneratedSource(PACKAGE, name, file.toString());
    }
}
