/**
 * The reference workload: the events of an ad server. The events are generated, not recorded, and are the same for the
 * same seed on any machine. The entry point is {@link io.summarizer.server.workload.AdsWorkload}.
 *
 * <p>The command line, the demo, tests and benchmarks use the workload; the service itself does not. A workload is
 * immutable and may be shared. Events and encoders are confined to one thread. The package imports no other package of
 * the project.
 */
@NullMarked
package io.summarizer.server.workload;

import org.jspecify.annotations.NullMarked;
