package io.summarizer.dsl.proto;

import io.summarizer.dsl.diagnose.Source;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A folder of definitions, or a substitute for it. */
public interface DefinitionFolder {
    /** The name of the source, for people. */
    String name();

    /**
     * Names of the {@code .summ} files directly in the folder, in a fixed order.
     *
     * @throws IOException when the folder cannot be listed; the message has the reason
     */
    List<String> definitions() throws IOException;

    /**
     * Reads the file with this path from the folder; names in the path are separated by {@code /}. Empty when there is
     * no such file.
     *
     * @throws IOException when the file exists but cannot be used; the message has the reason
     */
    Optional<Source> read(String path) throws IOException;
}
