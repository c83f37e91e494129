/**
 * Parts of the demo other than the service: a real rsyslogd and a real Kafka broker, each in a folder of its own; the
 * processes of Flink; and the printed table.
 *
 * <p>Used by the thread of the command and by the JVM's shutdown thread. Imports no other package of the project.
 */
@NullMarked
package io.summarizer.server.demo;

import org.jspecify.annotations.NullMarked;
