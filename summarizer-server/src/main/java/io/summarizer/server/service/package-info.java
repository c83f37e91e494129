/**
 * The whole process: it locks its folder, loads definitions into a plan, and starts and stops listeners, pipeline and
 * HTTP in an order that loses no message.
 *
 * <p>Called by the main thread and, at the end, by the JVM's shutdown thread.
 */
@NullMarked
package io.summarizer.server.service;

import org.jspecify.annotations.NullMarked;
