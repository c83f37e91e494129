/**
 * A toolkit that writes Java source and compiles it, independent of the language of definitions. {@link
 * io.summarizer.dsl.codegen.Code} is indented text, and {@link io.summarizer.dsl.codegen.JavaClass} is a class while it
 * is written. {@link io.summarizer.dsl.codegen.Value} and {@link io.summarizer.dsl.codegen.Condition} are expressions
 * whose result may be null, and {@link io.summarizer.dsl.codegen.Place} is the place for statements. A {@link
 * io.summarizer.dsl.codegen.GeneratedSource} is the finished text, which {@link
 * io.summarizer.dsl.codegen.SourceCompiler} compiles to {@link io.summarizer.dsl.codegen.GeneratedClasses}.
 *
 * <p>Generated code is plain Java 6, without lambdas, generics or switches over strings. This package imports no other
 * package of the project.
 */
@NullMarked
package io.summarizer.dsl.codegen;

import org.jspecify.annotations.NullMarked;
