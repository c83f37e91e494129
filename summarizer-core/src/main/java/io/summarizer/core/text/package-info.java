/**
 * Numbers, times and strings as bytes of text. Decoders, expressions and exports use this package to parse and print
 * without making Strings.
 *
 * <p>The classes are stateless functions, or small scanners that belong to one thread. The package imports only {@code
 * bytes}.
 */
@NullMarked
package io.summarizer.core.text;

import org.jspecify.annotations.NullMarked;
