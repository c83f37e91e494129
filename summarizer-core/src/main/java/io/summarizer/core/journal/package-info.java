/**
 * The journal. Every message of a durable listener is in the journal on the disk before the message is acknowledged. It
 * stays there until a checkpoint covers it.
 * <pre>
 *   event loops --offer--> JournalWriter --append, sync--> Journal --> segments on a Disk -> JournalReader -> recovery
 *                               |  one thread                 ^
 *                     Receipt.durable(), then the target   release: covered by a checkpoint
 * </pre>
 * The entry points are {@link io.summarizer.core.journal.Journal} and {@link io.summarizer.core.journal.JournalWriter};
 * {@code docs/understand/journal.md} describes the format, byte by byte.
 *
 * <p>One thread, {@code journal}, appends. Another thread, {@code journal-files}, prepares and recycles files. A reader
 * belongs to the thread that made it. Imports {@code disk}, {@code message}, {@code receive}, {@code queue} and {@code
 * bytes}.
 */
@NullMarked
package io.summarizer.core.journal;

import org.jspecify.annotations.NullMarked;
