/** Tests of whole jobs on a cluster in this JVM, with a broker beside it. */
@NullMarked
package io.summarizer.flink.job;

import org.jspecify.annotations.NullMarked;
