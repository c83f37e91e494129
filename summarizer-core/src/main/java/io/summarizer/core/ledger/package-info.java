/**
 * The fates of all messages. The {@link io.summarizer.core.ledger.Ledger} is the door: parser workers and owners count
 * in their own rows; the ledger has the rows of listeners, the {@link io.summarizer.core.ledger.Books} of the
 * definitions in force have those of event types and mappings; {@link io.summarizer.core.ledger.LedgerCounts} are the
 * immutable numbers of one point of the stream, for any thread. Metrics are sums over the same rows. Imports {@code
 * decode}, {@code message} and {@code store}.
 */
@NullMarked
package io.summarizer.core.ledger;

import org.jspecify.annotations.NullMarked;
