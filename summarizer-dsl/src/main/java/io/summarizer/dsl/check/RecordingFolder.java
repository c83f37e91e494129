package io.summarizer.dsl.check;

import io.summarizer.dsl.diagnose.Source;
import io.summarizer.dsl.proto.DefinitionFolder;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A folder that knows what was read from it. One thread. */
final class RecordingFolder implements DefinitionFolder {
    private final DefinitionFolder folder;
    private final Map<String, String> files = new TreeMap<>();

    RecordingFolder(DefinitionFolder folder) {
        this.folder = folder;
    }

    /** Texts of the files that were read, by their paths from the folder. */
    Map<String, String> files() {
        return files;
    }

    @Override
    public String name() {
        return folder.name();
    }

    @Override
    public List<String> definitions() throws IOException {
        return folder.definitions();
    }

    @Override
    public Optional<Source> read(String path) throws IOException {
        Optional<Source> source = folder.read(path);
        source.ifPresent(found -> files.put(path, found.text()));
        return source;
    }
}
