/**
 * The calendar: windows of time, and the offsets of time zones. Generated programs use this package for each event;
 * therefore, nothing is allocated after construction. The package imports only {@code text}.
 */
@NullMarked
package io.summarizer.core.time;

import org.jspecify.annotations.NullMarked;
