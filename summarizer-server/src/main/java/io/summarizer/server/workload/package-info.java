/**
 * The reference workload: the events of an ad server, generated rather than recorded, the same for the same seed on any
 * machine. The entry point is {@link io.summarizer.server.workload.AdsWorkload}.
 *
 * <p>For the command line, the demo, tests and benchmarks; the service itself does not use it. A workload is immutable
 * and may be shared; events and encoders are confined to one thread. Imports no other package of the project.
 */
@NullMarked
package io.summarizer.server.workload;

import org.jspecify.annotations.NullMarked;
