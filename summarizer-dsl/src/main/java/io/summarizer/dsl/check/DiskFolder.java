package io.summarizer.dsl.check;

import io.summarizer.core.disk.DiskErrors;
import io.summarizer.dsl.diagnose.Source;
import io.summarizer.dsl.proto.DefinitionFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A folder on disk. */
record DiskFolder(Path folder) implements DefinitionFolder {
    @Override
    public String name() {
        return folder.toString();
    }

    @Override
    public List<String> definitions() throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(Files.exists(folder) ? "is a file, not a folder" : "does not exist");
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> Files.isRegularFile(file) || Files.isSymbolicLink(file))
                    .map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.endsWith(".summ") && !name.startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new IOException("cannot be listed: " + DiskErrors.describe(e), e);
        }
    }

    /**
     * The path of a file with all symbolic links resolved.
     *
     * @throws SourceText.Unusable when links lead out of the folder; otherwise, anybody with write access to the folder
     *     could make the service read any file.
     */
    private Path real(Path file) throws IOException {
        Path real = file.toRealPath();
        if (!real.startsWith(folder.toRealPath())) {
            throw new SourceText.Unusable("is a symbolic link that leaves the definitions folder; put a copy there");
        }
        return real;
    }

    @Override
    public Optional<Source> read(String path) throws IOException {
        Path file;
        try {
            file = folder.resolve(path);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
        if (Path.of(path).normalize().startsWith("..")) {
            throw new SourceText.Unusable("leads out of the definitions folder; put a copy there");
        }
        if (Files.isSymbolicLink(file) && !Files.exists(file)) {
            throw new IOException("is a symbolic link to a file that does not exist");
        }
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            Path real = real(file);
            if (Files.size(real) > SourceText.MAX_BYTES) {
                throw SourceText.tooLarge();
            }
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(real));
            String text = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
            return Optional.of(new Source(file.toString(), SourceText.withoutMark(text)));
        } catch (CharacterCodingException e) {
            throw SourceText.notUtf8();
        } catch (SourceText.Unusable e) {
            throw e;
        } catch (AccessDeniedException e) {
            throw new IOException("cannot be read: this user may not read it", e);
        } catch (IOException e) {
            throw new IOException("cannot be read: " + e.getMessage(), e);
        }
    }
}
