/**
 * The fates of all messages. The {@link io.summarizer.core.ledger.Ledger} is the entry point. Each parser worker and
 * each owner counts in its own rows. The ledger has the rows of listeners. The {@link io.summarizer.core.ledger.Books}
 * of the present definitions have the rows of event types and mappings. {@link io.summarizer.core.ledger.LedgerCounts}
 * are the immutable numbers at one point of the stream, and may be read by any thread. Metrics are sums of the same
 * rows. Imports {@code bytes}, {@code decode}, {@code message}, {@code store} and {@code text}.
 */
@NullMarked
package io.summarizer.core.ledger;

import org.jspecify.annotations.NullMarked;
