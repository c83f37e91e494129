/**
 * Numbers, times and strings as bytes of text: parsing and printing without making Strings, shared by decoders,
 * expressions and exports.
 *
 * <p>Stateless functions, or small scanners that belong to one thread. Imports nothing of ours but {@code bytes}.
 */
@NullMarked
package io.summarizer.core.text;

import org.jspecify.annotations.NullMarked;
