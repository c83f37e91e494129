/**
 * The runtime of generated code: base classes that hold the state of an evaluation, and static helpers for everything
 * longer than a few machine instructions. The interpreter, which defines the meaning of expressions, uses parts of this
 * package, too.
 *
 * <p>Each object here is used by one thread or has no state. Outside tests, only generated classes use this package.
 * Generated code handles nulls itself, so no argument is null unless the called method allows null. The package imports
 * the engine and the plan.
 */
@NullMarked
package io.summarizer.dsl.runtime;

import org.jspecify.annotations.NullMarked;
