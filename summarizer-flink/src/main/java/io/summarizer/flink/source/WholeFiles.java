package io.summarizer.flink.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.enumerate.FileEnumerator;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

/**
 * Makes one split for each file, up to the length that the file has at the start. The name of a split is the index of
 * its file in the list, so that the file is the same partition after a recovery.
 */
final class WholeFiles implements FileEnumerator {
    @Override
    public Collection<FileSourceSplit> enumerateSplits(Path[] paths, int minDesiredSplits) throws IOException {
        List<FileSourceSplit> splits = new ArrayList<>();
        for (int index = 0; index < paths.length; index++) {
            FileStatus file = paths[index].getFileSystem().getFileStatus(paths[index]);
            if (file.isDir()) {
                throw new IOException(paths[index] + " is a folder; name the files in it");
            }
            splits.add(new FileSourceSplit(
                    String.valueOf(index), paths[index], 0, file.getLen(), file.getModificationTime(), file.getLen()));
        }
        return splits;
    }

    /** The partition of a split. */
    static int partition(FileSourceSplit split) {
        return Integer.parseInt(split.splitId());
    }
}
