/**
 * Files that have to outlive a loss of power: the operations that the journal and the checkpoints need from a disk, and
 * their implementation on the file system. Tests use a disk that loses unsynced bytes, writes incompletely, and fails.
 * {@link io.summarizer.core.disk.OwnerOnly} keeps files from other users. No threads of its own; imports nothing of
 * ours.
 */
@NullMarked
package io.summarizer.core.disk;

import org.jspecify.annotations.NullMarked;
