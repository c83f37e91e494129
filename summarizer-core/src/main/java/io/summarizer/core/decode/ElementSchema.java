package io.summarizer.core.decode;

import org.jspecify.annotations.Nullable;

/**
 * The record of one element of a list or map. Immutable.
 *
 * @param slots number of slots of the record
 * @param value the element of a list, or the value of a map's entry: a scalar or a message. Null when no values are
 *     wanted, but only the number of elements, or the keys.
 * @param key the key of a map's entry. It is wanted even when no mapping reads keys: of several entries with equal
 *     keys, only the last one is used.
 */
public record ElementSchema(
        int slots, @Nullable FieldSchema value, @Nullable FieldSchema key) {}
