/** Charts of recorded results, as SVG that any browser and any page of documentation shows. */
@NullMarked
package io.summarizer.bench.plot;

import org.jspecify.annotations.NullMarked;
