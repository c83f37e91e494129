/**
 * The whole service. It locks its data folder and loads definitions into a plan. It starts and stops listeners,
 * pipeline and HTTP in an order that loses no message.
 *
 * <p>The main thread and, at the end, the JVM's shutdown thread call this package.
 */
@NullMarked
package io.summarizer.server.service;

import org.jspecify.annotations.NullMarked;
