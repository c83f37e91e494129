/**
 * Snapshots of bytes that go on changing: chunks that are copied before the first write after a freeze, leases that say for how
 * long a frozen view is good, and the memory that all copies come out of.
 * <pre>
 *   owner  --freeze--> FrozenTables --added to--> CutLease --end--> CutMemory --recycled chunk--> owner
 *   reader --chunk, copy, check--> ChunkedBytes.Frozen
 * </pre>
 *
 * <p>One owner thread writes a {@link io.summarizer.core.snapshot.ChunkedBytes}; any thread reads frozen views and holds leases.
 * Imports {@code bytes}.
 */
@NullMarked
package io.summarizer.core.snapshot;

import org.jspecify.annotations.NullMarked;
