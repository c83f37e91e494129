/**
 * Real Kafka and Flink for the demo and for tests, each in processes of its own on free ports of the loopback.
 *
 * <p>Used by one thread, and by the JVM's shutdown thread. Imports no other package of the project.
 */
@NullMarked
package io.summarizer.flink.demo;

import org.jspecify.annotations.NullMarked;
