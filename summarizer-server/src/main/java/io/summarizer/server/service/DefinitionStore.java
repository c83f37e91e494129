package io.summarizer.server.service;

import io.summarizer.core.disk.OwnerOnly;
import io.summarizer.dsl.model.Definitions;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A store of definitions that were in force. Each set of definitions has a folder of its own. The name of the folder is
 * the {@linkplain DefinitionFiles#name name} that follows from the files. Checkpoints and the journal contain this
 * name, so their definitions can be loaded even after the definitions folder has changed. Used by one thread at a time.
 */
public final class DefinitionStore {
    private static final Pattern NAME = Pattern.compile("[0-9a-f]{64}");
    private static final String UNFINISHED = ".tmp";

    private final Path folder;

    /** Makes a store in {@code folder}. The store creates the folder when the first definitions are kept. */
    DefinitionStore(Path folder) {
        this.folder = folder;
    }

    /**
     * Returns the definitions that a checkpoint names, from the data folder of the checkpoint. Returns empty when the
     * data folder does not have the definitions, or when their files were changed there.
     *
     * @param checkpoint file in {@code checkpoints/} of a data folder
     * @param name name of the definitions as in the checkpoint
     */
    public static Optional<Definitions> beside(Path checkpoint, String name) {
        Path checkpoints = checkpoint.toAbsolutePath().getParent();
        Path data = checkpoints == null ? null : checkpoints.getParent();
        if (data == null) {
            return Optional.empty();
        }
        try {
            DefinitionFiles files = new DefinitionStore(data.resolve("definitions")).files(name);
            return Optional.of(PlanLoader.check(files).definitions());
        } catch (IOException | DefinitionsException e) {
            return Optional.empty();
        }
    }

    /** Makes files durable, unless the store has them already. Returns the name of the files. */
    String keep(DefinitionFiles files) throws IOException {
        String name = files.name();
        Path target = folder.resolve(name);
        if (Files.isDirectory(target)) {
            sync(folder); // a process that was killed may not have done this
            return name;
        }
        Path unfinished = folder.resolve(name + UNFINISHED);
        delete(unfinished);
        OwnerOnly.createDirectories(unfinished);
        for (Map.Entry<String, String> file : files.texts().entrySet()) {
            Path path = unfinished.resolve(encoded(file.getKey()));
            try (FileChannel channel = OwnerOnly.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = StandardCharsets.UTF_8.encode(file.getValue());
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
        }
        sync(unfinished);
        Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
        sync(folder);
        return name;
    }

    /**
     * Returns files that were kept.
     *
     * @throws IOException when there are no files of this name, or the files have changed
     */
    DefinitionFiles files(String name) throws IOException {
        Path from = folder.resolve(name);
        if (!NAME.matcher(name).matches() || !Files.isDirectory(from)) {
            throw new IOException("the definitions " + name + ", which the state was made with, are not in " + folder);
        }
        Map<String, String> texts = new TreeMap<>();
        try (Stream<Path> all = Files.list(from)) {
            for (Path file : all.toList()) {
                texts.put(
                        URLDecoder.decode(String.valueOf(file.getFileName()), StandardCharsets.UTF_8),
                        Files.readString(file));
            }
        }
        DefinitionFiles files = new DefinitionFiles(texts);
        if (!files.name().equals(name)) {
            throw new IOException(
                    from + " was changed: its files are not the definitions that the state was made with");
        }
        return files;
    }

    /** Deletes all definitions except those with these {@code names}. */
    void retain(Set<String> names) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<Path> unwanted;
        try (Stream<Path> all = Files.list(folder)) {
            unwanted = all.filter(path -> isUnwanted(path, names)).toList();
        }
        for (Path path : unwanted) {
            Path unfinished = path;
            if (!String.valueOf(path.getFileName()).endsWith(UNFINISHED)) {
                // The folder is renamed first, so that a half-deleted folder is not taken for the original.
                unfinished = path.resolveSibling(path.getFileName() + UNFINISHED);
                delete(unfinished);
                Files.move(path, unfinished, StandardCopyOption.ATOMIC_MOVE);
            }
            delete(unfinished);
        }
    }

    private static boolean isUnwanted(Path path, Set<String> names) {
        String name = String.valueOf(path.getFileName());
        String finished = name.endsWith(UNFINISHED) ? name.substring(0, name.length() - UNFINISHED.length()) : name;
        return NAME.matcher(finished).matches() && !names.contains(name);
    }

    /**
     * Encodes a path as the name of one file. All characters except letters and digits are escaped. The name is not too
     * long for a file, because definitions with longer paths are refused.
     */
    private static String encoded(String path) {
        return URLEncoder.encode(path, StandardCharsets.UTF_8);
    }

    private static void sync(Path folder) throws IOException {
        try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file); // there are no subfolders
            }
        }
        Files.delete(folder);
    }
}
