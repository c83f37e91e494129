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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code .proto} files and all they import: from the importing file's folder, the definitions folder, or what is
 * bundled of {@code google/protobuf}. Add all imports, then {@link #link}. One use, one thread.
 */
public final class ProtoFiles {
    /** Files in all; an import chain longer than that is a mistake. */
    private static final int MAX_FILES = 1000;
    /** Blocks within blocks, on which Wire's parser recurses. */
    private static final int MAX_NESTING = 64;

    private static final Pattern WIRE_ERROR =
            Pattern.compile("Syntax error in .*?:(\\d{1,9}):(\\d{1,9}): (.*)", Pattern.DOTALL);

    /** In other messages of Wire's: the first place named. */
    private static final Pattern WIRE_PLACE = Pattern.compile(":(\\d{1,9}):(\\d{1,9})\\b");

    /** A parsed file. */
    record Parsed(Source source, ProtoFileElement element, boolean bundled) {}

    private final DefinitionFolder folder;
    private final Diagnostics diagnostics;
    private final Map<String, Optional<Parsed>> files = new LinkedHashMap<>();
    private boolean failed;

    public ProtoFiles(DefinitionFolder folder, Diagnostics diagnostics) {
        this.folder = folder;
        this.diagnostics = diagnostics;
    }

    /** Reads what a {@code .summ} file directly in the folder imports. */
    public void add(Source importer, Span span, String path) {
        List<Pending> pending = new ArrayList<>();
        pending.add(new Pending(importer, span, "", path));
        while (!pending.isEmpty()) {
            load(pending.remove(pending.size() - 1), pending);
        }
    }

    /** All messages of all files read. Call once. */
    public ProtoTypes link() {
        List<Parsed> parsed = new ArrayList<>();
        files.values().forEach(file -> file.ifPresent(parsed::add));
        return new ProtoLinker(diagnostics).link(parsed, failed);
    }

    /**
     * An import to follow.
     *
     * @param base folder of the importing file, from the definitions folder
     */
    private record Pending(Source importer, Span span, String base, String path) {}

    private void load(Pending pending, List<Pending> more) {
        if (pending.path.isEmpty() || pending.path.startsWith("/") || pending.path.contains("\\")) {
            fail(pending, "`" + pending.path + "` is not a relative path with `/` between names");
            return;
        }
        for (String candidate : candidates(pending)) {
            Optional<Parsed> known = files.get(candidate);
            if (known != null) {
                return;
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
                fail(pending, "`" + pending.path + "` " + e.getMessage());
                return;
            }
            if (source.isPresent()) {
                if (files.size() >= MAX_FILES) {
                    fail(pending, "too many files are imported; at most " + MAX_FILES);
                    return;
                }
                Optional<Parsed> parsed = parse(source.get(), bundled);
                files.put(candidate, parsed);
                parsed.ifPresent(file -> follow(file, candidate, more));
                return;
            }
        }
        List<String> help = pending.path.startsWith("google/protobuf/")
                ? List.of("bundled are any, duration, empty, field_mask, struct, timestamp and wrappers")
                : List.of("imports are looked up in the importing file's folder, then in " + folder.name());
        failed = true;
        diagnostics.error(pending.importer, pending.span, "there is no file `" + pending.path + "`", help);
    }

    private void fail(Pending pending, String message) {
        failed = true;
        diagnostics.error(pending.importer, pending.span, message);
    }

    private static List<String> candidates(Pending pending) {
        String fromFolder = normalize(pending.path);
        if (pending.base.isEmpty()) {
            return List.of(fromFolder);
        }
        return List.of(normalize(pending.base + "/" + pending.path), fromFolder);
    }

    /** Resolves {@code .} and {@code ..}; what leads out of the folder keeps its leading {@code ..}. */
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
        int slash = path.lastIndexOf('/');
        String base = slash < 0 ? "" : path.substring(0, slash);
        List<String> imports = new ArrayList<>(file.element.getImports());
        imports.addAll(file.element.getPublicImports());
        imports.addAll(file.element.getWeakImports());
        for (String imported : imports) {
            more.add(new Pending(file.source, importSpan(file.source, imported), base, imported));
        }
    }

    /** Wire does not keep where an import stands. */
    private static Span importSpan(Source source, String path) {
        String quoted = "\"" + path + "\"";
        int line = 1;
        for (String text : source.text().split("\n", -1)) {
            int at = text.indexOf(quoted);
            if (at >= 0 && text.stripLeading().startsWith("import")) {
                return new Span(line, text.codePointCount(0, at) + 1, quoted.length());
            }
            line++;
        }
        return Span.WHOLE_FILE;
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
        Optional<Span> tooDeep = tooDeep(source.text());
        if (tooDeep.isPresent()) {
            failed = true;
            diagnostics.error(source, tooDeep.get(), "too many blocks within blocks; at most " + MAX_NESTING);
            return Optional.empty();
        }
        ProtoFileElement element;
        try {
            element = ProtoParser.Companion.parse(Location.get(source.name()), source.text());
        } catch (RuntimeException e) {
            // Wire throws whatever comes up at the first thing it does not understand.
            failed = true;
            syntaxError(source, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
        if (!bundled && element.getSyntax() != null && element.getSyntax() != Syntax.PROTO_3) {
            failed = true;
            diagnostics.error(
                    source,
                    syntaxSpan(source),
                    "event types are proto3 messages",
                    "begin the file with `syntax = \"proto3\";`");
            return Optional.empty();
        }
        return Optional.of(new Parsed(source, element, bundled));
    }

    private void syntaxError(Source source, String message) {
        Matcher matcher = WIRE_ERROR.matcher(message);
        if (matcher.matches()) {
            Span span = new Span(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), 1);
            diagnostics.error(source, span, matcher.group(3).strip());
        } else {
            Matcher place = WIRE_PLACE.matcher(message);
            Span span = place.find()
                    ? new Span(Integer.parseInt(place.group(1)), Integer.parseInt(place.group(2)), 1)
                    : Span.WHOLE_FILE;
            diagnostics.error(source, span, message.strip());
        }
    }

    private static Span syntaxSpan(Source source) {
        int line = 1;
        for (String text : source.text().split("\n", -1)) {
            String stripped = text.stripLeading();
            if (stripped.startsWith("syntax") || stripped.startsWith("edition")) {
                return new Span(line, text.length() - stripped.length() + 1, stripped.length());
            }
            line++;
        }
        return Span.WHOLE_FILE;
    }

    /** The first brace that is too deep, strings and comments apart. */
    private static Optional<Span> tooDeep(String text) {
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
                    return Optional.of(new Span(line, i - lineStart + 1, 1));
                }
            } else if (c == '}' || c == ']' || c == ')' || c == '>') {
                depth = Math.max(0, depth - 1);
            }
        }
        return Optional.empty();
    }
}
