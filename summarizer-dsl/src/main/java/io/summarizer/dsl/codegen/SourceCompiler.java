package io.summarizer.dsl.codegen;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.codehaus.commons.compiler.CompileException;
import org.codehaus.commons.compiler.InternalCompilerException;
import org.codehaus.commons.compiler.Location;
import org.codehaus.commons.compiler.util.resource.MapResourceCreator;
import org.codehaus.commons.compiler.util.resource.Resource;
import org.codehaus.commons.compiler.util.resource.StringResource;
import org.codehaus.janino.ClassLoaderIClassLoader;
import org.codehaus.janino.Compiler;

/** Compiles generated sources in memory, with Janino. Stateless. Cost: a few ms per class. */
public final class SourceCompiler {
    /**
     * Maximum number of characters of all sources of one set. The bound limits the time and memory that definitions can
     * take.
     */
    private static final long MAX_CHARACTERS = 64L << 20;

    private static final String TOO_LARGE =
            "the definitions are too large: the mappings of one event type, or one summary, need more code than a Java"
                    + " class may have";

    private SourceCompiler() {}

    /**
     * Compiles {@code sources} to classes. The sources may refer to each other and to all public types of this program.
     *
     * @throws TooLargeException when the sources, or one of their classes, are too large
     * @throws GeneratedCodeException when the sources do not compile; this is a fault of this program, never of the
     *     definitions
     */
    public static GeneratedClasses compile(List<GeneratedSource> sources) {
        long characters =
                sources.stream().mapToLong(source -> source.text().length()).sum();
        if (characters > MAX_CHARACTERS) {
            throw new TooLargeException(String.format(
                    Locale.ROOT,
                    "the definitions are too large: they would take %,d characters of Java, at most %,d",
                    characters,
                    MAX_CHARACTERS));
        }
        ClassLoader parent = SourceCompiler.class.getClassLoader();
        Map<String, byte[]> classFiles = new HashMap<>();
        if (!sources.isEmpty()) {
            Compiler compiler = new Compiler();
            compiler.setIClassLoader(new ClassLoaderIClassLoader(parent));
            compiler.setClassFileCreator(new MapResourceCreator(classFiles));
            compiler.setDebugSource(true);
            compiler.setDebugLines(true);
            compiler.setDebugVars(false);
            try {
                compiler.compile(sources.stream()
                        .map(source -> (Resource) new StringResource(source.path(), source.text()))
                        .toArray(Resource[]::new));
            } catch (CompileException e) {
                // Janino reports a full table of constants as an error at a place of the source.
                if (String.valueOf(e.getMessage()).contains("JVM limit")) {
                    throw new TooLargeException(TOO_LARGE, e);
                }
                throw new GeneratedCodeException(describe(e, sources), e);
            } catch (InternalCompilerException e) {
                throw new TooLargeException(TOO_LARGE, e);
            } catch (IOException e) {
                throw new AssertionError("nothing is read or written", e);
            }
        }
        Map<String, byte[]> byName = new HashMap<>();
        classFiles.forEach((path, bytes) ->
                byName.put(path.substring(0, path.length() - ".class".length()).replace('/', '.'), bytes));
        return new GeneratedClasses(parent, byName);
    }

    /** The compiler's message, and the line to which the message refers. */
    private static String describe(CompileException e, List<GeneratedSource> sources) {
        Location location = e.getLocation();
        if (location == null) {
            return String.valueOf(e.getMessage());
        }
        for (GeneratedSource source : sources) {
            if (source.path().equals(location.getFileName())) {
                String[] lines = source.text().split("\n", -1);
                int line = location.getLineNumber();
                return e.getMessage() + (line >= 1 && line <= lines.length ? "\n" + lines[line - 1] : "");
            }
        }
        return String.valueOf(e.getMessage());
    }
}
