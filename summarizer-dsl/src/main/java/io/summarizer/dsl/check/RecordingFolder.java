package io.summarizer.dsl.check;

import io.summarizer.dsl.diagnose.Source;
import io.summarizer.dsl.proto.DefinitionFolder;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A folder that records which files were read from it, and whether all requested files could be read. One thread. */
final class RecordingFolder implements DefinitionFolder {
    private final DefinitionFolder folder;
    private final Map<String, String> files = new TreeMap<>();
    private boolean readable = true;

    RecordingFolder(DefinitionFolder folder) {
        this.folder = folder;
    }

    /** Texts of the files that were read, by their paths from the folder. */
    Map<String, String> files() {
        return files;
    }

    /** Whether the folder and all requested files could be read; a file with unusable contents counts as read. */
    boolean isReadable() {
        return readable;
    }

    @Override
    public String name() {
        return folder.name();
    }

    @Override
    public List<String> definitions() throws IOException {
        try {
            return folder.definitions();
        } catch (IOException e) {
            readable = false;
            throw e;
        }
    }

    @Override
    public Optional<Source> read(String path) throws IOException {
        Optional<Source> source;
        try {
            source = folder.read(path);
            if (source.isPresent()) {
                SourceText.checkPath(path);
            }
        } catch (IOException e) {
            readable &= e instanceof SourceText.Unusable;
            throw e;
        }
        source.ifPresent(found -> files.put(path, found.text()));
        return source;
    }
}
