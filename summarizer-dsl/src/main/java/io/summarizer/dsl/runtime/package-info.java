/**
 * What generated code calls: base classes that hold the state of an evaluation, and static helpers for everything that is
 * more than a few machine instructions. The interpreter, the meaning of the language in the tests, shares some of it.
 *
 * <p>Everything here belongs to one thread or has no state. Generated classes are the only users outside of tests, so a
 * null that they have seen to already never arrives here, unless it says so. Imports the engine and the plan.
 */
@NullMarked
package io.summarizer.dsl.runtime;

import org.jspecify.annotations.NullMarked;
