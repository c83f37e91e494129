@NullMarked
package io.summarizer.flink.demo;

import org.jspecify.annotations.NullMarked;
