/**
 * Pictures and reports of recorded results, as self-contained SVG and HTML for any browser. One thread; imports the
 * packages that read and judge results.
 */
@NullMarked
package io.summarizer.bench.plot;

import org.jspecify.annotations.NullMarked;
