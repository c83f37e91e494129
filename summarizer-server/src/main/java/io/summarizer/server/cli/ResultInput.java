package io.summarizer.server.cli;

import io.summarizer.core.result.ResultFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A result of a job, as input of a command. The argument is a manifest, or a folder of results, which stands for the
 * newest of these results.
 */
final class ResultInput {
    private ResultInput() {}

    /** Whether a path names a result. If not, the path names a state file. */
    static boolean isResult(Path path) {
        return Files.isDirectory(path) || path.toString().endsWith(".json");
    }

    /** Opens the result. The caller closes it. */
    static ResultFolder open(Path path) throws IOException, CommandFailure {
        if (!Files.isDirectory(path)) {
            return ResultFolder.ofManifest(path);
        }
        ResultFolder results = new ResultFolder(path);
        if (!results.look()) {
            throw new CommandFailure(results.problem()
                    + (results.problems() > 0
                            ? ""
                            : "; a folder of results has the folder manifests, with a manifest for each result"));
        }
        return results;
    }
}
