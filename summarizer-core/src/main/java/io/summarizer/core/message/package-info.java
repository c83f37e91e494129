/**
 * Syslog messages as slices of a shared byte array: the unit that travels from the receivers to the parser workers.
 *
 * <p>A {@link io.summarizer.core.message.MessageBatch} has one holder at a time. Handing over the batch is the only
 * synchronization. Imports no other package of the project.
 */
@NullMarked
package io.summarizer.core.message;

import org.jspecify.annotations.NullMarked;
