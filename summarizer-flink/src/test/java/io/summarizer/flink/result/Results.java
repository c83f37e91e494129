package io.summarizer.flink.result;

import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.result.Manifest;
import io.summarizer.core.result.ResultNames;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The results of a job that is running. */
public final class Results {
    private Results() {}

    /** The late updates that the only owner had counted at a checkpoint, by start of the window. */
    public static Map<Long, Long> late(Path exports, long checkpoint, String summary) throws IOException {
        return new ResultFolder(exports.toUri().toString())
                .read(checkpoint)
                .owners()
                .get(0)
                .late()
                .of(summary);
    }

    /** The newest result; one of checkpoint 0 when there is none yet. */
    public static Manifest newest(Path exports) throws IOException {
        Path manifests = exports.resolve(ResultNames.MANIFESTS);
        while (Files.isDirectory(manifests)) {
            List<Path> all;
            try (Stream<Path> files = Files.list(manifests)) {
                all = files.filter(file -> ResultNames.checkpoint(String.valueOf(file.getFileName()))
                                .isPresent())
                        .sorted()
                        .toList();
            }
            if (all.isEmpty()) {
                break;
            }
            Path last = all.get(all.size() - 1);
            try (InputStream in = Files.newInputStream(last)) {
                return Manifest.read(in, last.toString());
            } catch (NoSuchFileException e) {
                // The job has removed it meanwhile.
            }
        }
        return new Manifest(0, "", 0, "", 1, List.of(), List.of(), LedgerCounts.NONE);
    }
}
