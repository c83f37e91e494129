/**
 * Files that have to outlive a loss of power: what the journal and the checkpoints ask of a disk, and the file system as one. A
 * disk that forgets, tears and fails takes its place in tests. {@link io.summarizer.core.disk.OwnerOnly} keeps files from other
 * users. No threads of its own; imports nothing of ours.
 */
@NullMarked
package io.summarizer.core.disk;

import org.jspecify.annotations.NullMarked;
