/**
 * Pictures and reports of recorded results, as self-contained SVG and HTML for any browser. One thread. Imports {@code
 * sweep}, {@code report} and {@code advice}.
 */
@NullMarked
package io.summarizer.bench.plot;

import org.jspecify.annotations.NullMarked;
