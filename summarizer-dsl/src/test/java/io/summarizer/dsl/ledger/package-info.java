/** The fates of all messages, counted by the language and the engine together. */
@NullMarked
package io.summarizer.dsl.ledger;

import org.jspecify.annotations.NullMarked;
