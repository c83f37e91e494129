/**
 * Parts of the demo beside the service: a real rsyslogd in a folder of its own, and a table for people.
 *
 * <p>Used by the thread of the command and by the JVM's shutdown thread. Imports no other package of the project.
 */
@NullMarked
package io.summarizer.server.demo;

import org.jspecify.annotations.NullMarked;
