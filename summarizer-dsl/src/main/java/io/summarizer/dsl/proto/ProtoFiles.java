package io.summarizer.dsl.proto;

import com.squareup.wire.Syntax;
import com.squareup.wire.schema.Location;
import com.squareup.wire.schema.internal.parser.ProtoFileElement;
import com.squareup.wire.schema.internal.parser.ProtoParser;
import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Source;
import io.summarizer.dsl.diagnose.Span;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code .proto} files and all files that they import. An imported file is in the importing file's folder, in the
 * definitions folder, or in the bundled {@code google/protobuf}. The caller adds all imports, then calls {@link #link}.
 * One use, one thread.
 */
public final class ProtoFiles {
    /** Maximum number of files in total. To import more files is most likely a mistake. */
    private static final int MAX_FILES = 1000;
    /** Maximum number of levels of nested blocks. Wire's parser recurses for each level. */
    private static final int MAX_NESTING = 64;

    private static final String PROTO_3 = "begin the file with `syntax = \"proto3\";`";

    private static final Pattern SYNTAX = Pattern.compile("\\s*((syntax|edition)\\s*=\\s*[\"']([^\"']*)[\"']\\s*;?)");

    private static final Pattern WIRE_ERROR =
            Pattern.compile("Syntax error in .*?:(\\d{1,9}):(\\d{1,9}): (.*)", Pattern.DOTALL);

    /**
     * Finds the first place that is named in an error message of Wire. Used for messages that {@link #WIRE_ERROR} does
     * not match.
     */
    private static final Pattern WIRE_PLACE = Pattern.compile(":(\\d{1,9}):(\\d{1,9})\\b");

    /** A line that is put before a file without a {@code syntax} line. */
    private static final String ADDED_LINE = "syntax = \"proto3\";\n";
    /** Wire's error when a file with {@link #ADDED_LINE} has a {@code syntax} line of its own. */
    private static final String TWO_SYNTAXES = "too many syntax definitions";

    /**
     * A parsed file.
     *
     * @param addedLines number of lines that were put before the text of the source
     */
    record Parsed(Source source, ProtoFileElement element, boolean bundled, int addedLines) {
        /** The place in the source of a place in the parsed text. */
        Span span(Location at) {
            return new Span(source, Math.max(1, at.getLine() - addedLines), at.getColumn(), 1);
        }
    }

    private final DefinitionFolder folder;
    private final Diagnostics diagnostics;
    private final Map<String, Optional<Parsed>> files = new LinkedHashMap<>();
    /** By the importing file. */
    private final Map<String, List<Edge>> edges = new HashMap<>();

    private boolean failed;

    public ProtoFiles(DefinitionFolder folder, Diagnostics diagnostics) {
        this.folder = folder;
        this.diagnostics = diagnostics;
    }

    /** Records that an import has no file. The caller has already reported this. */
    public void fail() {
        failed = true;
    }

    /** Reads the imports of a {@code .summ} file directly in the folder. */
    public void add(Span span, String path) {
        List<Pending> pending = new ArrayList<>();
        pending.add(new Pending(span, "", path));
        while (!pending.isEmpty()) {
            Pending next = pending.remove(pending.size() - 1);
            String loaded = load(next, pending);
            if (loaded != null) {
                edges.computeIfAbsent(next.from, from -> new ArrayList<>()).add(new Edge(next, loaded));
            }
        }
    }

    /** Reports each file that imports itself, directly or through other files; protoc does the same. */
    private void refuseCycles() {
        Set<String> done = new HashSet<>();
        for (String file : files.keySet()) {
            follow(file, new LinkedHashSet<>(), done);
        }
    }

    /**
     * Follows the imports of {@code file}, which was reached along {@code way}. The number of files bounds the
     * recursion.
     */
    private void follow(String file, Set<String> way, Set<String> done) {
        if (!done.add(file)) {
            return;
        }
        way.add(file);
        for (Edge edge : edges.getOrDefault(file, List.of())) {
            if (way.contains(edge.to)) {
                List<String> cycle = new ArrayList<>(way);
                List<String> shown = new ArrayList<>(cycle.subList(cycle.indexOf(edge.to), cycle.size()));
                shown.add(edge.to);
                diagnostics.newError(
                        edge.by.span,
                        "`" + edge.to + "` imports itself: " + String.join(" -> ", shown),
                        "put what both files need into a third one");
            } else {
                follow(edge.to, way, done);
            }
        }
        way.remove(file);
    }

    /** The messages of all files that were read. Call this method once. */
    public ProtoTypes link() {
        refuseCycles();
        List<Parsed> parsed = new ArrayList<>();
        files.values().forEach(file -> file.ifPresent(parsed::add));
        return new ProtoLinker(diagnostics).link(parsed, failed);
    }

    /**
     * An import to follow.
     *
     * @param from path from the definitions folder to the importing file; empty for a {@code .summ} file
     */
    private record Pending(Span span, String from, String path) {
        /** Folder of the importing file. */
        String base() {
            return from.substring(0, Math.max(0, from.lastIndexOf('/')));
        }
    }

    /** An import that was found, and the path of its target from the definitions folder. */
    private record Edge(Pending by, String to) {}

    /** The path from the definitions folder to the file. If the file is missing, reports an error and returns null. */
    private @Nullable String load(Pending pending, List<Pending> more) {
        if (pending.path.isEmpty() || pending.path.startsWith("/") || pending.path.contains("\\")) {
            return fail(pending, "`" + pending.path + "` is not a relative path with `/` between names");
        }
        for (String candidate : candidates(pending)) {
            Optional<Parsed> known = files.get(candidate);
            if (known != null) {
                return candidate;
            }
            Optional<Source> source;
            boolean bundled = false;
            try {
                source = folder.read(candidate);
                if (source.isEmpty()) {
                    source = bundled(candidate);
                    bundled = source.isPresent();
                }
            } catch (IOException e) {
                files.put(candidate, Optional.empty());
                return fail(pending, "`" + pending.path + "` " + e.getMessage());
            }
            if (source.isPresent()) {
                if (files.size() >= MAX_FILES) {
                    return fail(pending, "too many files are imported; at most " + MAX_FILES);
                }
                Optional<Parsed> parsed = parse(source.get(), bundled);
                files.put(candidate, parsed);
                parsed.ifPresent(file -> follow(file, candidate, more));
                return candidate;
            }
        }
        return fail(
                pending,
                "there is no file `" + pending.path + "`",
                pending.path.startsWith("google/protobuf/")
                        ? "bundled are any, duration, empty, field_mask, struct, timestamp and wrappers"
                        : "imports are looked up in the importing file's folder, then in " + folder.name());
    }

    /** Reports an import that cannot be followed. Returns null, because the import has no target. */
    private @Nullable String fail(Pending pending, String message, String... help) {
        failed = true;
        diagnostics.error(pending.span, message, help);
        return null;
    }

    private static List<String> candidates(Pending pending) {
        String fromFolder = normalize(pending.path);
        if (pending.base().isEmpty()) {
            return List.of(fromFolder);
        }
        String fromFile = normalize(pending.base() + "/" + pending.path);
        return fromFolder.startsWith("../") ? List.of(fromFile) : List.of(fromFile, fromFolder);
    }

    /**
     * Resolves {@code .} and {@code ..}. A path out of the folder keeps its leading {@code ..}, and the folder refuses
     * such a path.
     */
    private static String normalize(String path) {
        List<String> names = new ArrayList<>();
        for (String name : path.split("/", -1)) {
            boolean up = name.equals("..");
            if (up && !names.isEmpty() && !names.get(names.size() - 1).equals("..")) {
                names.remove(names.size() - 1);
            } else if (!name.equals(".") && !name.isEmpty()) {
                names.add(name);
            }
        }
        return String.join("/", names);
    }

    private void follow(Parsed file, String path, List<Pending> more) {
        List<String> imports = new ArrayList<>(file.element.getImports());
        imports.addAll(file.element.getPublicImports());
        imports.addAll(file.element.getWeakImports());
        for (String imported : imports) {
            more.add(new Pending(importSpan(file.source, imported), path, imported));
        }
    }

    /** Searches a file for the place of an import. Wire does not keep this place. */
    private static Span importSpan(Source source, String path) {
        String quoted = "\"" + path + "\"";
        int line = 1;
        for (String text : source.text().split("\n", -1)) {
            int at = text.indexOf(quoted);
            if (at >= 0 && text.stripLeading().startsWith("import")) {
                return new Span(source, line, text.codePointCount(0, at) + 1, quoted.length());
            }
            line++;
        }
        return Span.of(source);
    }

    private static Optional<Source> bundled(String path) throws IOException {
        if (!path.startsWith("google/protobuf/")) {
            return Optional.empty();
        }
        try (InputStream in = ProtoParser.class.getResourceAsStream("/" + path)) {
            return in == null
                    ? Optional.empty()
                    : Optional.of(new Source(path, new String(in.readAllBytes(), StandardCharsets.UTF_8)));
        }
    }

    private Optional<Parsed> parse(Source source, boolean bundled) {
        Optional<Span> tooDeep = tooDeep(source);
        if (tooDeep.isPresent()) {
            failed = true;
            diagnostics.error(tooDeep.get(), "too many blocks within blocks; at most " + MAX_NESTING);
            return Optional.empty();
        }
        Parsed parsed;
        try {
            parsed = new Parsed(source, element(source, source.text()), bundled, 0);
        } catch (RuntimeException e) {
            // At the first text that Wire does not understand, Wire may throw any type of exception.
            Optional<Parsed> proto3 =
                    isOtherSyntax(source) ? Optional.empty() : parseAsProto3(source, String.valueOf(e.getMessage()));
            if (proto3.isEmpty()) {
                failed = true;
                return proto3;
            }
            parsed = proto3.get();
        }
        if (bundled) {
            return Optional.of(parsed);
        }
        Syntax syntax = parsed.element.getSyntax();
        if (syntax == null || parsed.addedLines > 0) {
            diagnostics.warning(
                    Span.of(source),
                    "without a `syntax` line protoc takes this file for proto2; here it is read as proto3",
                    PROTO_3);
        } else if (syntax != Syntax.PROTO_3 && isOtherSyntax(source)) {
            failed = true;
            return Optional.empty();
        }
        return Optional.of(parsed);
    }

    private static ProtoFileElement element(Source source, String text) {
        return ProtoParser.Companion.parse(Location.get(source.name()), text);
    }

    /**
     * Parses a file as proto3 that Wire did not understand. Without a {@code syntax} line, Wire takes a file for proto2
     * and requires a label for each field. If the file cannot be parsed as proto3 either, reports an error.
     *
     * @param error the message of Wire for the file as it is
     */
    private Optional<Parsed> parseAsProto3(Source source, String error) {
        try {
            return Optional.of(new Parsed(source, element(source, ADDED_LINE + source.text()), false, 1));
        } catch (RuntimeException e) {
            String message = String.valueOf(e.getMessage());
            boolean hasSyntax = message.contains(TWO_SYNTAXES);
            syntaxError(source, hasSyntax ? error : withoutAddedLine(message));
            return Optional.empty();
        }
    }

    /** A message of Wire about a file with {@link #ADDED_LINE}, with the numbers of lines in the source. */
    private static String withoutAddedLine(String message) {
        return WIRE_PLACE
                .matcher(message)
                .replaceAll(place -> ":" + Math.max(1, Integer.parseInt(place.group(1)) - 1) + ":" + place.group(2));
    }

    private void syntaxError(Source source, String message) {
        Matcher matcher = WIRE_ERROR.matcher(message);
        if (matcher.matches()) {
            Span span = new Span(source, Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), 1);
            diagnostics.error(span, matcher.group(3).strip());
        } else {
            Matcher place = WIRE_PLACE.matcher(message);
            Span span = place.find()
                    ? new Span(source, Integer.parseInt(place.group(1)), Integer.parseInt(place.group(2)), 1)
                    : Span.of(source);
            diagnostics.error(span, message.strip());
        }
    }

    /** Reports an error if a file declares another syntax than proto3. Returns whether it does. */
    private boolean isOtherSyntax(Source source) {
        int line = 1;
        for (String text : source.text().split("\n", -1)) {
            Matcher syntax = SYNTAX.matcher(text);
            if (syntax.lookingAt() && !syntax.group(3).equals("proto3")) {
                String given = (syntax.group(2).equals("edition") ? "edition " : "") + syntax.group(3);
                diagnostics.error(
                        new Span(
                                source,
                                line,
                                syntax.start(1) + 1,
                                syntax.group(1).length()),
                        "this file is `" + given + "`; proto3 is needed for event types",
                        PROTO_3 + ", and take out `required`, default values, groups and extensions");
                return true;
            }
            line++;
        }
        return false;
    }

    /** The first brace that is too deep, outside strings and comments. */
    private static Optional<Span> tooDeep(Source source) {
        String text = source.text();
        int depth = 0;
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                line++;
                lineStart = i + 1;
            } else if (text.startsWith("//", i)) {
                int end = text.indexOf('\n', i);
                i = end < 0 ? text.length() : end - 1;
            } else if (text.startsWith("/*", i)) {
                int end = text.indexOf("*/", i + 2);
                end = end < 0 ? text.length() : end + 1;
                for (; i < end; i++) {
                    if (text.charAt(i) == '\n') {
                        line++;
                        lineStart = i + 1;
                    }
                }
            } else if (c == '"' || c == '\'') {
                for (i++; i < text.length() && text.charAt(i) != c && text.charAt(i) != '\n'; i++) {
                    i += text.charAt(i) == '\\' ? 1 : 0;
                }
                i -= i < text.length() && text.charAt(i) == '\n' ? 1 : 0;
            } else if (c == '{' || c == '[' || c == '(' || c == '<') {
                if (++depth > MAX_NESTING) {
                    return Optional.of(new Span(source, line, i - lineStart + 1, 1));
                }
            } else if (c == '}' || c == ']' || c == ')' || c == '>') {
                depth = Math.max(0, depth - 1);
            }
        }
        return Optional.empty();
    }
}
