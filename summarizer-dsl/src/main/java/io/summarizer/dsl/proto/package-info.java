/**
 * Event types from proto3 files: read by Wire's parser, linked here so that errors have file, line and column. The door
 * is {@link io.summarizer.dsl.proto.ProtoFiles}. Single-threaded; the types are immutable after linking.
 */
@NullMarked
package io.summarizer.dsl.proto;

import org.jspecify.annotations.NullMarked;
