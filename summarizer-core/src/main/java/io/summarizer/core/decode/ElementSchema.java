package io.summarizer.core.decode;

import org.jspecify.annotations.Nullable;

/**
 * The record of one element of a list or map. Immutable.
 *
 * @param slots number of slots of the record
 * @param value the element, or the value of a map's entry: a scalar or a message; null when only the number of elements
 *     or the keys are wanted
 * @param key the key of a map's entry; wanted even when no mapping reads keys, because only the last of several entries
 *     with equal keys counts
 */
public record ElementSchema(
        int slots, @Nullable FieldSchema value, @Nullable FieldSchema key) {}
