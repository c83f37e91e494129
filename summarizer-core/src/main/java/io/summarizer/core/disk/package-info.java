/**
 * Files that have to survive a loss of power. The package has the operations that the journal and the checkpoints need
 * from a disk, and their implementation on the file system. Tests use a disk that loses unsynced bytes, writes
 * incompletely, and fails. {@link io.summarizer.core.disk.OwnerOnly} protects files from other users, {@link
 * io.summarizer.core.disk.RepeatedFailures} logs the failures of a disk, and {@link
 * io.summarizer.core.disk.DiskErrors} describes them. The package starts no threads. Imports
 * {@code bytes}.
 */
@NullMarked
package io.summarizer.core.disk;

import org.jspecify.annotations.NullMarked;
