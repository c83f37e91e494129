/**
 * What a sweep's results say: runs read from its files, medians, the noise of repeats, and the settings that they advise. One
 * thread; no drawing. Imports the configuration of the server, which what is advised has to suit.
 */
@NullMarked
package io.summarizer.bench.advice;

import org.jspecify.annotations.NullMarked;
