package io.summarizer.core.result;

import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.state.StateFile;
import io.summarizer.core.store.Cut;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The results in a folder. The newest complete result is the current one. Results with smaller numbers than the current
 * one are never opened, so a reader never goes back to an older result. {@link ResultNames} describes the folder.
 *
 * <p>One thread at a time calls {@link #look} and {@link #close}; any thread calls the other methods.
 */
public final class ResultFolder implements AutoCloseable {
    /** Maximum number of manifests that one call of {@link #look} tries to open. */
    private static final int TRIES_MAX = 8;

    private final Path folder;
    private final HeldFiles files;

    private volatile @Nullable Result current;
    private volatile String problem;
    private final AtomicLong problems = new AtomicLong();

    /** A folder, which need not exist yet. */
    public ResultFolder(Path folder) {
        this(folder, HeldFiles.FILES_MAX);
    }

    ResultFolder(Path folder, int filesMax) {
        this.folder = folder;
        files = new HeldFiles(new FileDisk(folder), filesMax);
        problem = "no result was looked for yet";
    }

    /**
     * Opens the result of one manifest, and ignores all other manifests.
     *
     * @param manifest a file in the folder {@link ResultNames#MANIFESTS} of a folder of results
     */
    public static ResultFolder ofManifest(Path manifest) throws IOException {
        Path manifests = manifest.toAbsolutePath().getParent();
        Path folder = manifests == null ? null : manifests.getParent();
        OptionalLong checkpoint = ResultNames.checkpoint(String.valueOf(manifest.getFileName()));
        if (manifests == null || folder == null || !manifests.endsWith(ResultNames.MANIFESTS) || checkpoint.isEmpty()) {
            throw new ResultException(manifest + ": is not in the folder " + ResultNames.MANIFESTS
                    + " of a folder of results, so its files cannot be found");
        }
        ResultFolder results = new ResultFolder(folder);
        results.become(results.open(checkpoint.getAsLong()));
        return results;
    }

    /**
     * Looks for a newer result. Reads the whole manifest of that result, and the ends of those files that no earlier
     * result had.
     *
     * @return whether the current result has changed
     */
    public boolean look() throws IOException {
        Result before = current;
        long above = before == null ? -1 : before.manifest().checkpoint();
        List<Long> newer = new FileDisk(folder.resolve(ResultNames.MANIFESTS))
                .list().stream()
                        .map(ResultNames::checkpoint)
                        .filter(OptionalLong::isPresent)
                        .map(OptionalLong::getAsLong)
                        .filter(checkpoint -> checkpoint > above)
                        .sorted(Comparator.reverseOrder())
                        .limit(TRIES_MAX)
                        .toList();
        String found = newer.isEmpty() && before == null ? nothingYet() : "";
        for (long checkpoint : newer) {
            try {
                become(open(checkpoint));
                problem = found;
                return true;
            } catch (IOException e) {
                problems.incrementAndGet();
                if (found.isEmpty()) {
                    found = "the result of checkpoint " + checkpoint + " cannot be read: " + e.getMessage();
                }
            }
        }
        problem = found;
        return false;
    }

    private String nothingYet() {
        String text = folder + " has no result yet";
        return Files.isDirectory(folder)
                ? text
                : text + "; the folder does not exist: check its name, unless a job will make it";
    }

    private Result open(long checkpoint) throws IOException {
        Path path = folder.resolve(ResultNames.manifest(checkpoint));
        Manifest manifest;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
            manifest = Manifest.read(in, path.toString());
        } catch (NoSuchFileException e) {
            throw new ResultException(path + " is not there any more", e);
        }
        if (manifest.checkpoint() != checkpoint) {
            throw new ResultException(path + ": is the manifest of checkpoint " + manifest.checkpoint()
                    + ", which is not that of its name");
        }
        return Result.open(files, manifest, current);
    }

    private void become(Result next) {
        Result before = current;
        current = next;
        if (before != null) {
            before.cut().release();
        }
    }

    /** The current result; null before the first result. This folder may release the result at any time. */
    public @Nullable Result current() {
        return current;
    }

    /**
     * The cut of the current result. The caller holds the cut and has to release it.
     *
     * @throws ResultException when there is no result; the message has the reason
     */
    public Cut acquire() throws ResultException {
        for (Result result = current; result != null; result = current) {
            if (result.cut().acquire()) {
                return result.cut();
            }
        }
        throw new ResultException(problem);
    }

    /**
     * Reads all files of the current result, and checks their sums.
     *
     * @param threads number of threads, the caller's included
     * @throws IOException when a file is damaged or missing
     */
    public void verify(int threads) throws IOException, InterruptedException {
        Cut cut = acquire();
        try {
            Result result = current;
            for (Manifest.RowFile each : result == null
                    ? List.<Manifest.RowFile>of()
                    : result.manifest().allFiles()) {
                try (StateFile file = StateFile.open(files, each.file())) {
                    file.verify(threads);
                }
            }
        } finally {
            cut.release();
        }
    }

    /** The folder. */
    public Path folder() {
        return folder;
    }

    /**
     * The reason why there is no result, or why the newest result is not the current result; empty when the newest
     * result is current.
     */
    public String problem() {
        return problem;
    }

    /** Number of times that a result could not be opened. */
    public long problems() {
        return problems.get();
    }

    /** Number of files that are open because results are held. */
    public int filesOpen() {
        return files.size();
    }

    /** Releases the current result; afterwards there is none. */
    @Override
    public void close() {
        Result before = current;
        current = null;
        if (before != null) {
            before.cut().release();
        }
    }

    @Override
    public String toString() {
        return folder.toString();
    }
}
