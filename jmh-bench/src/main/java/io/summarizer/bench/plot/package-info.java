/**
 * Pictures and reports of recorded results, as SVG and HTML that any browser shows and that need nothing else. One thread; imports
 * what reads and judges results.
 */
@NullMarked
package io.summarizer.bench.plot;

import org.jspecify.annotations.NullMarked;
