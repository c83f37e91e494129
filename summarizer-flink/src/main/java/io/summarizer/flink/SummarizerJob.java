package io.summarizer.flink;

import io.summarizer.flink.cli.ClusterCommand;
import io.summarizer.flink.job.JobDefinition;
import io.summarizer.flink.submit.JobSetup;
import io.summarizer.flink.submit.RefusedException;
import org.apache.flink.client.program.ProgramParametrizationException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;

/** The main class of the jar. {@code flink run}, an application cluster and the REST API start this class. */
public final class SummarizerJob {
    private SummarizerJob() {}

    /** Submits the job that the arguments describe. */
    public static void main(String[] arguments) throws Exception {
        ClusterCommand.@Nullable Job job;
        try {
            job = ClusterCommand.parse(arguments, System.out, System.err);
        } catch (IllegalArgumentException e) {
            throw new ProgramParametrizationException(String.valueOf(e.getMessage()));
        }
        if (job == null) {
            return;
        }
        StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
        try {
            JobSetup.build(environment, job.options(), job.definitions());
        } catch (RefusedException e) {
            throw new ProgramParametrizationException(String.valueOf(e.getMessage()));
        }
        environment.execute(JobDefinition.NAME);
    }
}
