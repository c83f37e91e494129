/**
 * The job that runs the definitions on Apache Flink.
 *
 * <pre>
 *   cli --options--> submit --graph of operators--> Flink
 *   source --records--> evaluate --updates--> own --state files--> result
 *                          '--progress--> coordinate --boundaries--> own
 *                                             '--manifests--> result
 * </pre>
 *
 * <p>The client parses the options ({@code cli}) into {@code JobOptions} ({@code options}), checks the definitions, and
 * makes the graph of operators ({@code submit}). It sends the texts of the definitions to the workers, which compile
 * them again ({@code job}). On the workers, {@code source} reads Kafka or files, {@code evaluate} turns records into
 * updates, {@code own} applies updates to rows, and {@code coordinate} closes windows and commits results. The records
 * between these operators are in {@code record}. {@code demo} starts processes of Kafka and Flink.
 */
@NullMarked
package io.summarizer.flink;

import org.jspecify.annotations.NullMarked;
