/**
 * Generates the Java source of definitions: decoders, mapping programs, rows and probes, written with {@code
 * dsl.codegen}. {@link io.summarizer.dsl.generate.PlanSources} holds all sources of a set of definitions. Equal
 * definitions give equal sources, byte for byte.
 *
 * <p>Generated code calls public static helpers and protected methods of base classes. The generators run once for each
 * set of definitions, on the thread that loads them.
 */
@NullMarked
package io.summarizer.dsl.generate;

import org.jspecify.annotations.NullMarked;
