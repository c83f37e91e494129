/**
 * The reference workload: the events of an ad server, made rather than recorded, the same ones for the same seed on any
 * machine. {@link io.summarizer.server.workload.AdsWorkload} is the door; {@link
 * io.summarizer.server.workload.MalformedWorkload} is the same with lines that must be refused.
 *
 * <p>For the command line, the demo, tests and benchmarks; nothing on the way of real data uses it. A workload is immutable
 * and may be shared; events and encoders belong to one thread. Imports {@code io.summarizer.core.message} only.
 */
@NullMarked
package io.summarizer.server.workload;

import org.jspecify.annotations.NullMarked;
