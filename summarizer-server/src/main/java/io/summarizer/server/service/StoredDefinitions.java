package io.summarizer.server.service;

import io.summarizer.dsl.model.Definitions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The definitions of a checkpoint, for programs that read it from outside. Stateless. */
public final class StoredDefinitions {
    private StoredDefinitions() {}

    /**
     * Returns the definitions of a checkpoint in its data folder; empty when they are absent, or have changed.
     *
     * @param checkpoint file in {@code checkpoints/} of a data folder
     * @param name in the checkpoint
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
}
