package io.summarizer.dsl.check;

import io.summarizer.dsl.diagnose.Source;
import io.summarizer.dsl.proto.DefinitionFolder;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Texts by name, for tests and tools. */
final class MemoryFolder implements DefinitionFolder {
    private final Map<String, String> files;

    MemoryFolder(Map<String, String> files) {
        this.files = new TreeMap<>(files);
    }

    @Override
    public String name() {
        return "the definitions";
    }

    @Override
    public List<String> definitions() {
        return files.keySet().stream()
                .filter(name -> name.endsWith(".summ") && name.indexOf('/') < 0)
                .toList();
    }

    @Override
    public Optional<Source> read(String path) throws IOException {
        String text = files.get(path);
        if (text == null) {
            return Optional.empty();
        }
        if (text.length() > SourceText.MAX_BYTES) {
            throw SourceText.tooLarge();
        }
        return Optional.of(new Source(path, SourceText.withoutMark(text)));
    }
}
