package io.summarizer.server.service;

import io.summarizer.dsl.model.Definitions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The definitions that a checkpoint was made with, for those who look at it from outside. Stateless. */
public final class StoredDefinitions {
    private StoredDefinitions() {}

    /**
     * The definitions of a checkpoint that lies in its data folder; empty where they are not there, or are not what they were.
     *
     * @param checkpoint file in {@code checkpoints/} of a data folder
     * @param name as the checkpoint has it
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
