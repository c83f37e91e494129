/**
 * Event types from proto3 files: read by Wire's parser, linked here so that errors name file, line and column. The way in is
 * {@link io.summarizer.dsl.proto.ProtoFiles}. Single-threaded; the types are immutable once linked.
 */
@NullMarked
package io.summarizer.dsl.proto;

import org.jspecify.annotations.NullMarked;
