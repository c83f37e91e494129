package io.summarizer.core.pipeline;

import io.summarizer.core.dedup.RecentIds;
import io.summarizer.core.store.PartitionTable;
import io.summarizer.core.store.Partitions;
import io.summarizer.core.store.SummaryPartition;
import io.summarizer.core.store.SummaryStore;
import org.jspecify.annotations.Nullable;

/** The sizes of an owner's state. The owner publishes them from time to time; any thread may read them. */
final class OwnerGauges {
    /** Bytes of each summary. */
    private volatile long[] summaryBytes = {};

    private volatile long saturations;
    private volatile long ids;
    private volatile long idsEvicted;
    private volatile long idBytes;

    /** Number of saturations in retired stores. */
    private long saturationsBefore;
    /** Number of ids that were evicted from those partitions of ids that the owner has retired. */
    private long idsEvictedBefore;

    /** Adds the counts of a store that the owner retires. */
    void retired(SummaryStore store) {
        saturationsBefore += store.saturationsInAll();
    }

    /** Adds the counts of a partition of ids that the owner retires. */
    void retired(RecentIds seen) {
        idsEvictedBefore += seen.evicted();
    }

    /** Publishes the current sizes. */
    void publish(PartitionTable<SummaryPartition> partitions, PartitionTable<RecentIds> seen) {
        long[] bytes = summaryBytes.length == partitions.rows() ? summaryBytes : new long[partitions.rows()];
        long lost = saturationsBefore;
        int cell = 0;
        Partitions here = partitions.partitions();
        long ofSummary = 0;
        @Nullable SummaryPartition[] cells = partitions.cells();
        for (int summary = 0; summary < bytes.length; summary++) {
            for (int end = here.cell(summary + 1, 0); cell < end; cell++) {
                SummaryPartition partition = cells[cell];
                if (partition != null) {
                    ofSummary += partition.bytesUsed();
                    lost += partition.saturationsInAll();
                }
            }
            bytes[summary] = ofSummary;
            ofSummary = 0;
        }
        summaryBytes = bytes;
        saturations = lost;
        long count = 0;
        long evicted = idsEvictedBefore;
        long bytesOfIds = 0;
        for (RecentIds recent : seen.cells()) {
            if (recent != null) {
                count += recent.size();
                evicted += recent.evicted();
                bytesOfIds += recent.bytesUsed();
            }
        }
        ids = count;
        idsEvicted = evicted;
        idBytes = bytesOfIds;
    }

    /** Bytes of all stores. */
    long stateBytes() {
        long bytes = 0;
        for (long ofSummary : summaryBytes) {
            bytes += ofSummary;
        }
        return bytes;
    }

    /** Bytes of the stores of a summary. */
    long stateBytes(int summary) {
        return summaryBytes[summary];
    }

    /** Number of observations that were not added to a sum, because the sum was at its bound. */
    long saturations() {
        return saturations;
    }

    /** Number of ids that are kept exactly. */
    long ids() {
        return ids;
    }

    /** Number of ids that were evicted within their window, because the bound was reached. */
    long idsEvicted() {
        return idsEvicted;
    }

    /** Bytes of ids and their indexes. */
    long idBytes() {
        return idBytes;
    }
}
