/**
 * The process as a whole: the lock on its folder, definitions loaded into a plan; listeners, pipeline and HTTP started
 * and stopped in the order that loses no message.
 *
 * <p>Called by the main thread and, at the end, by the JVM's shutdown thread.
 */
@NullMarked
package io.summarizer.server.service;

import org.jspecify.annotations.NullMarked;
