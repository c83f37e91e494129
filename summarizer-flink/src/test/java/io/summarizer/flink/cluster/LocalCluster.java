package io.summarizer.flink.cluster;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.clusterframework.ApplicationStatus;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.minicluster.RpcServiceSharing;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A Flink cluster in this JVM, on free ports: a JobManager and TaskManagers that can be lost one by one. For one
 * thread.
 */
public final class LocalCluster implements AutoCloseable {
    private final MiniCluster cluster;

    private LocalCluster(MiniCluster cluster) {
        this.cluster = cluster;
    }

    /** Starts one with a slot in each TaskManager. */
    public static LocalCluster start(int taskManagers) throws Exception {
        MiniCluster cluster = new MiniCluster(new MiniClusterConfiguration.Builder()
                .setConfiguration(new Configuration())
                .setNumTaskManagers(taskManagers)
                .setNumSlotsPerTaskManager(1)
                .setRpcServiceSharing(RpcServiceSharing.SHARED)
                .setCommonBindAddress("127.0.0.1")
                .withRandomPorts()
                .build());
        cluster.start();
        return new LocalCluster(cluster);
    }

    /** Submits what was added to an environment; returns before it ends. */
    public JobID submit(StreamExecutionEnvironment environment) throws Exception {
        JobGraph graph = environment.getStreamGraph().getJobGraph();
        return cluster.submitJob(graph).get().getJobID();
    }

    /** Waits for the end of a job, and fails unless it finished. */
    public void awaitFinish(JobID job) throws Exception {
        JobResult result = cluster.requestJobResult(job).get();
        var unused = result.toJobExecutionResult(LocalCluster.class.getClassLoader());
    }

    /** Runs what was added to an environment to its end. */
    public void run(StreamExecutionEnvironment environment) throws Exception {
        awaitFinish(submit(environment));
    }

    /** The state of a job. */
    public JobStatus status(JobID job) throws Exception {
        return cluster.getJobStatus(job).get();
    }

    /** Completes a checkpoint now; returns its path. */
    public String checkpoint(JobID job) throws Exception {
        return cluster.triggerCheckpoint(job).get();
    }

    /** Stops a job with a savepoint below a folder; returns its path. */
    public String stopWithSavepoint(JobID job, String folder) throws Exception {
        return cluster.stopWithSavepoint(job, folder, false, SavepointFormatType.CANONICAL)
                .get();
    }

    /** Ends a job without a savepoint. */
    public void cancel(JobID job) throws Exception {
        var unused = cluster.cancelJob(job).get();
        JobResult result = cluster.requestJobResult(job).get();
        if (result.getApplicationStatus() != ApplicationStatus.CANCELED) {
            throw new AssertionError("the job ended as " + result.getApplicationStatus());
        }
    }

    /** Ends a TaskManager, with all that it has in memory, and starts another one. */
    public void replaceTaskManager(int index) throws Exception {
        var unused = cluster.terminateTaskManager(index).get();
        cluster.startTaskManager();
    }

    /** Jobs that have not ended. */
    public List<JobID> running() throws Exception {
        return cluster.listJobs().get().stream()
                .filter(job -> !job.getJobState().isGloballyTerminalState())
                .map(job -> job.getJobId())
                .toList();
    }

    @Override
    public void close() throws IOException, ExecutionException {
        try {
            var unused = cluster.closeAsync().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the cluster ended");
        }
    }
}
