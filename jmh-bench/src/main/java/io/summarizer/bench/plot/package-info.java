/**
 * Pictures and reports of recorded results, as self-contained SVG and HTML for any browser. One thread. Imports {@code
 * sweep} and {@code report}, which read results, and {@code advice}, which judges them.
 */
@NullMarked
package io.summarizer.bench.plot;

import org.jspecify.annotations.NullMarked;
