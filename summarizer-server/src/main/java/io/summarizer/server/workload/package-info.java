/**
 * Generated messages: the events of an ad server, which are the reference workload, and the access log of a web shop.
 * The messages are the same for the same seed on any machine. The entry point is {@link
 * io.summarizer.server.workload.Workload}.
 *
 * <p>The command line, the demo, tests and benchmarks use workloads; the service itself does not. A workload is
 * immutable and may be shared. Events and encoders are confined to one thread. The package imports no other package of
 * the project.
 */
@NullMarked
package io.summarizer.server.workload;

import org.jspecify.annotations.NullMarked;
