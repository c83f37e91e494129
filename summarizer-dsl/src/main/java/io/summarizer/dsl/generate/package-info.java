/**
 * Java source of what definitions compute, and classes of it: readable text first, compiled by Janino in memory.
 *
 * <p>The parts, from the bottom: {@link io.summarizer.dsl.generate.Code} is indented text,
 * {@link io.summarizer.dsl.generate.JavaClass} a class being written, {@link io.summarizer.dsl.generate.GeneratedSource}
 * its text, {@link io.summarizer.dsl.generate.SourceCompiler} what makes
 * {@link io.summarizer.dsl.generate.GeneratedClasses} of several. The same definitions make the same bytes.
 *
 * <p>Generated code is plain Java 6 (no lambdas, generics or switches over strings) that calls public static helpers and
 * protected methods of base classes. Runs once for each set of definitions, on the thread that loads them.
 */
@NullMarked
package io.summarizer.dsl.generate;

import org.jspecify.annotations.NullMarked;
