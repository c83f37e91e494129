/**
 * Event types from proto3 files. Wire's parser reads the files; this package links them, so that errors have file, line
 * and column. The entry point is {@link io.summarizer.dsl.proto.ProtoFiles}. Single-threaded; the types are immutable
 * after linking.
 */
@NullMarked
package io.summarizer.dsl.proto;

import org.jspecify.annotations.NullMarked;
