package io.summarizer.core.decode;

import org.jspecify.annotations.Nullable;

/**
 * The record of one element of a list or map. Immutable.
 *
 * @param slots number of slots of the record
 * @param value the element of a list, or the value of a map's entry: a scalar or a message. Null when mappings use only
 *     the number of elements, or the keys.
 * @param key the key of a map's entry. Decoders need the key even when no mapping reads keys, because they use only the
 *     last of several entries with equal keys.
 */
public record ElementSchema(
        int slots, @Nullable FieldSchema value, @Nullable FieldSchema key) {}
