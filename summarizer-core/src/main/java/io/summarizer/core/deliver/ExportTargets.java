package io.summarizer.core.deliver;

import io.summarizer.core.disk.Disk;
import java.io.IOException;
import java.nio.file.Path;

/** The folders to which exports go. */
@FunctionalInterface
public interface ExportTargets {
    /**
     * A folder.
     *
     * @throws IOException when it does not exist
     */
    Disk folder(Path path) throws IOException;
}
