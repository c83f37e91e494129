package io.summarizer.flink.cli;

import io.summarizer.flink.job.JobDefinition;
import io.summarizer.flink.options.Input;
import io.summarizer.flink.options.JobOptions;
import io.summarizer.flink.submit.JobSetup;
import io.summarizer.flink.submit.RefusedException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPInputStream;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.core.fs.Path;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.FileUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code flink try}: runs a job on a cluster in this process. */
@Command(
        name = "try",
        description = {
            "Runs definitions on a Flink cluster in one process, to try them.",
            "With --until-end or --files, the command ends when the results have all messages. Otherwise"
                    + " it runs until you stop it.",
            "A new run with --from-savepoint can go on from the last checkpoint of the stopped run."
        })
final class TryCommand implements Callable<Integer> {
    private static final int RESTARTS = 3;
    private static final int DELETIONS = 50;
    private static final int ABSENT = 4;
    private static final int PAUSE_MS = 50;

    private final PrintStream out;
    private final PrintStream err;

    @Mixin
    private JobArguments arguments = new JobArguments();

    TryCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws CommandFailure, IOException, InterruptedException {
        JobOptions options = arguments.options();
        requireFiles(options.input());
        requireFolder(options.exports());
        Map<String, String> definitions = CheckedFiles.of(arguments.definitions(), err);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(Math.max(1, options.parallelism()), cluster());
        try {
            JobSetup.build(environment, options, definitions);
        } catch (RefusedException e) {
            throw new CommandFailure(Exit.NO, "", String.valueOf(e.getMessage()));
        } catch (IllegalStateException e) {
            throw new CommandFailure(Exit.FAILED, "", String.valueOf(e.getMessage())); // no broker answers
        }
        if (options.input() instanceof Input.Kafka && !options.untilEnd()) {
            err.println("the job reads until Ctrl-C; its results are in " + shown(options.exports()));
        }
        try {
            var unused = environment.execute(JobDefinition.NAME);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new CommandFailure(Exit.FAILED, "", "the job failed: " + cause(e));
        }
        out.println("all is read; the results are in " + shown(options.exports()));
        return Exit.OK;
    }

    /**
     * Refuses files that do not exist, and folders: with such a file, the job would fail, start again, and fail again.
     * Refuses pipes and files of gzip, too: they have no messages that the job could count, so the job would end well,
     * without a row.
     */
    private static void requireFiles(Input input) throws IOException, CommandFailure {
        if (input instanceof Input.Files files) {
            for (String file : files.paths()) {
                Path path = new Path(file);
                if (!path.getFileSystem().exists(path)) {
                    throw new CommandFailure(Exit.FAILED, "", shown(file) + ": no such file");
                }
                if (path.getFileSystem().getFileStatus(path).isDir()) {
                    throw new CommandFailure(Exit.FAILED, "", shown(file) + ": is a folder; name the files in it");
                }
                if (file.startsWith("file:") && !Files.isRegularFile(java.nio.file.Path.of(path.getPath()))) {
                    throw new CommandFailure(
                            Exit.FAILED,
                            "",
                            shown(file) + ": is no regular file, so a job cannot tell its length; write what it has"
                                    + " to a file first");
                }
                if (isPacked(path)) {
                    throw new CommandFailure(
                            Exit.FAILED,
                            "",
                            shown(file) + ": is packed with gzip, which a job does not read; unpack it first");
                }
            }
        }
    }

    /** Refuses a file as the folder of results. */
    private static void requireFolder(String exports) throws IOException, CommandFailure {
        Path path = new Path(exports);
        if (path.getFileSystem().exists(path)
                && !path.getFileSystem().getFileStatus(path).isDir()) {
            throw new CommandFailure(Exit.FAILED, "", shown(exports) + ": is there already, and not a folder");
        }
    }

    private static boolean isPacked(Path file) throws IOException {
        try (InputStream in = file.getFileSystem().open(file)) {
            byte[] magic = in.readNBytes(2);
            return magic.length == 2 && ((magic[0] & 0xff) | (magic[1] & 0xff) << 8) == GZIPInputStream.GZIP_MAGIC;
        }
    }

    /**
     * The configuration of a cluster that uses only free ports of the loopback, and that ends a job that keeps failing.
     */
    private static Configuration cluster() throws IOException, CommandFailure {
        Configuration cluster = new Configuration();
        String temporary = temporaryFolder().toString();
        cluster.set(CoreOptions.TMP_DIRS, temporary);
        cluster.set(WebOptions.TMP_DIR, temporary);
        String loopback = InetAddress.getLoopbackAddress().getHostAddress();
        cluster.set(RestOptions.ADDRESS, loopback);
        cluster.set(RestOptions.BIND_ADDRESS, loopback);
        cluster.set(RestOptions.BIND_PORT, "0");
        cluster.set(JobManagerOptions.BIND_HOST, loopback);
        cluster.set(TaskManagerOptions.BIND_HOST, loopback);
        cluster.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        cluster.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, RESTARTS);
        cluster.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, Duration.ofSeconds(1));
        return cluster;
    }

    /** A new folder that is deleted when the process ends, also by a signal. */
    private static File temporaryFolder() throws IOException, CommandFailure {
        File folder = Files.createTempDirectory("summarizer-flink").toFile();
        // The end of the job would be too early: the cluster ends after its job.
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder), "end of temporary files"));
        } catch (IllegalStateException e) {
            delete(folder);
            throw new CommandFailure(Exit.FAILED, "", "stopped before the job began");
        }
        return folder;
    }

    private static void delete(File folder) {
        // A cluster that is ending may still make files, so the folder has to stay away for a while.
        for (int left = DELETIONS, absent = 0; left > 0 && absent < ABSENT; left--) {
            absent = folder.exists() ? 0 : absent + 1;
            FileUtils.deleteDirectoryQuietly(folder);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MS));
        }
    }

    /**
     * The message of the innermost cause that has a message. The causes around it only say how Flink noticed the
     * failure.
     */
    private static String cause(Throwable failure) {
        String text = failure.toString();
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at.getMessage() != null) {
                text = at.getMessage();
            }
        }
        return text;
    }

    private static String shown(String uri) {
        return uri.startsWith("file:") ? new Path(uri).getPath() : uri;
    }
}
