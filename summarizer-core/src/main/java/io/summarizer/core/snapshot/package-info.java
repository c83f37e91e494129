/**
 * Snapshots of changing bytes. Chunks are copied before the first write after a freeze, leases limit the life of frozen
 * views, and one object tracks the memory of all copies.
 * <pre>
 *   owner  --freeze--> FrozenTables --added to--> CutLease --end--> CutMemory --recycled chunk--> owner
 *   reader --chunk, copy, check--> ChunkedBytes.Frozen
 * </pre>
 *
 * <p>One owner thread writes a {@link io.summarizer.core.snapshot.ChunkedBytes}; any thread reads frozen views and
 * holds leases. Imports {@code bytes}.
 */
@NullMarked
package io.summarizer.core.snapshot;

import org.jspecify.annotations.NullMarked;
