/**
 * The job that runs the definitions on Apache Flink.
 *
 * <pre>
 *   cli --options--> SummarizerJob --records--> source --SourceRecord--> job --state files--> exports
 * </pre>
 *
 * <p>The client parses the options ({@code cli}) into {@code JobOptions} ({@code options}) and checks the definitions.
 * The texts of the definitions travel to the workers, which compile them again. {@code source} reads Kafka or files;
 * {@code job} evaluates records and owns rows.
 */
@NullMarked
package io.summarizer.flink;

import org.jspecify.annotations.NullMarked;
