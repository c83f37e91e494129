package io.summarizer.server.postgres;

import static org.junit.jupiter.api.Assumptions.abort;

import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.demo.FreePort;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL server with the {@code hll} extension in a new folder and on a free port of the loopback, accessed
 * through {@code psql}. The programs are those that {@code bin/test} unpacked below {@code target/}, with libraries
 * that the machine lacks, or else those of the machine. PostgreSQL refuses to run as root, so root starts it as the
 * user {@code nobody}, who can still read the project wherever it lies.
 */
public final class PostgresCluster implements AutoCloseable {
    /** Roots with {@code usr/lib} and {@code usr/share}, as in Debian. */
    private static final List<Path> ROOTS = List.of(ProjectHome.path().resolve("target/postgresql/root"), Path.of("/"));

    private static final String SYSTEM_USER = "nobody";
    private static final String USER = "postgres";
    private static final int START_ATTEMPTS = 300;
    private static final int ATTEMPT_MS = 50;
    private static final int STOP_SECONDS = 10;
    private static final int COMMAND_SECONDS = 120;

    private final Path programs;
    private final Path folder;
    private final int port;
    private final List<String> command;
    private final Thread onExit;
    private volatile Process server;

    private PostgresCluster(Path programs, Path folder, int port, List<String> command) throws IOException {
        this.programs = programs;
        this.folder = folder;
        this.port = port;
        this.command = command;
        server = server(programs, command);
        // An interrupted test run leaves no server running.
        onExit = new Thread(() -> server.destroyForcibly());
        Runtime.getRuntime().addShutdownHook(onExit);
    }

    private static Process server(Path programs, List<String> command) throws IOException {
        return builder(programs, command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Starts a server; without PostgreSQL and the extension, the calling test is skipped. */
    public static PostgresCluster start() throws IOException, InterruptedException {
        Optional<Path> programs = find();
        if (programs.isEmpty()) {
            return abort("no PostgreSQL with the hll extension under " + ROOTS + "; bin/test unpacks it on Debian");
        }
        Path folder = Files.createTempDirectory("summarizer-postgres");
        List<String> asUser = List.of();
        if (System.getProperty("user.name").equals("root")) {
            asUser = List.of(
                    "setpriv",
                    "--reuid=" + SYSTEM_USER,
                    "--clear-groups",
                    "--inh-caps=+dac_override",
                    "--ambient-caps=+dac_override",
                    "--");
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            Files.setOwner(folder, systemUser(folder));
        }
        Path data = folder.resolve("data");
        run(
                null,
                programs.get(),
                with(
                        asUser,
                        programs.get().resolve("initdb").toString(),
                        "--pgdata=" + data,
                        "--username=" + USER,
                        "--auth=trust",
                        "--encoding=UTF8",
                        "--locale=C",
                        "--no-sync"));
        int port = FreePort.next();
        List<String> command = with(
                asUser,
                programs.get().resolve("postgres").toString(),
                "-D",
                data.toString(),
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=",
                "-c",
                "fsync=off");
        PostgresCluster cluster = new PostgresCluster(programs.get(), folder, port, command);
        try {
            cluster.awaitReady();
            cluster.query("CREATE EXTENSION hll");
        } catch (IOException | InterruptedException | RuntimeException e) {
            cluster.close();
            throw e;
        }
        return cluster;
    }

    /** Finds the programs of the newest version that has the extension, in the first root that has one. */
    private static Optional<Path> find() throws IOException {
        for (Path root : ROOTS) {
            Path all = root.resolve("usr/lib/postgresql");
            if (!Files.isDirectory(all)) {
                continue;
            }
            Path extensions = root.resolve("usr/share/postgresql");
            try (Stream<Path> versions = Files.list(all)) {
                Optional<Path> newest = versions.filter(version -> Files.exists(
                                extensions.resolve(version.getFileName()).resolve("extension/hll.control")))
                        .map(version -> version.resolve("bin"))
                        .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
                        .max(Comparator.comparing(Path::toString));
                if (newest.isPresent()) {
                    return newest;
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Makes a process that finds the libraries beside {@code programs}, in {@code usr/lib/ARCHITECTURE} of their root.
     */
    private static ProcessBuilder builder(Path programs, List<String> command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(new File("/")).redirectErrorStream(true);
        Path libraries = programs.resolve("../../..").normalize();
        if (!libraries.equals(Path.of("/usr/lib"))) {
            try (Stream<Path> found = Files.find(libraries, 2, (path, attributes) -> path.endsWith("libpq.so.5"))) {
                found.findAny()
                        .ifPresent(libpq -> builder.environment()
                                .put("LD_LIBRARY_PATH", libpq.resolveSibling("").toString()));
            }
        }
        return builder;
    }

    private static UserPrincipal systemUser(Path folder) throws IOException {
        try {
            return folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(SYSTEM_USER);
        } catch (UserPrincipalNotFoundException e) {
            return abort("PostgreSQL does not run as root, and there is no user " + SYSTEM_USER);
        }
    }

    private void awaitReady() throws IOException, InterruptedException {
        for (int attempt = 0; attempt < START_ATTEMPTS; attempt++) {
            if (!server.isAlive()) {
                throw new IOException("PostgreSQL ended with " + server.exitValue());
            }
            try {
                query("SELECT 1");
                return;
            } catch (IOException e) {
                Thread.sleep(ATTEMPT_MS);
            }
        }
        throw new IOException("PostgreSQL takes no connections on port " + port);
    }

    /** Ends the server as {@code pg_ctl stop -m immediate} does, without a checkpoint, and starts it again. */
    public void crash() throws IOException, InterruptedException {
        new ProcessBuilder("sh", "-c", "kill -QUIT " + server.pid())
                .inheritIO()
                .start()
                .waitFor();
        if (!server.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("PostgreSQL does not end on SIGQUIT");
        }
        server = server(programs, command);
        awaitReady();
    }

    /** The address of its database, for a relay. */
    public InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /**
     * Runs a script of statements and of {@code psql}'s {@code \copy}, which reads files as the test's own user;
     * returns the rows of its queries, with columns separated by {@code |}.
     *
     * @throws IOException when a statement fails; the message has PostgreSQL's words
     */
    public List<String> query(String script) throws IOException, InterruptedException {
        List<String> psql = List.of(
                programs.resolve("psql").toString(),
                "--no-psqlrc",
                "--quiet",
                "--tuples-only",
                "--no-align",
                "--set=ON_ERROR_STOP=1",
                "--host=127.0.0.1",
                "--port=" + port,
                "--username=" + USER,
                "--file=-");
        return run(script, programs, psql).lines().toList();
    }

    /** The address of its database, for {@code export --to}. */
    public String url() {
        return url(port);
    }

    /** The address of its database behind a relay on this port. */
    public static String url(int port) {
        return "postgresql://" + USER + "@127.0.0.1:" + port + "/" + USER;
    }

    /** Variables with which {@code psql} of the same programs connects to it. */
    public Map<String, String> environment() throws IOException {
        Map<String, String> variables = new HashMap<>(Map.of(
                "PGHOST",
                "127.0.0.1",
                "PGPORT",
                Integer.toString(port),
                "PGUSER",
                USER,
                "PATH",
                programs + File.pathSeparator + System.getenv("PATH")));
        String libraries = builder(programs, List.of()).environment().get("LD_LIBRARY_PATH");
        if (libraries != null) {
            variables.put("LD_LIBRARY_PATH", libraries);
        }
        return variables;
    }

    private static String run(@Nullable String input, Path programs, List<String> command)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("summarizer-postgres", ".out");
        Path script = Files.createTempFile("summarizer-postgres", ".sql");
        try {
            Files.writeString(script, input == null ? "" : input);
            Process process = builder(programs, command)
                    .redirectInput(script.toFile())
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(command.get(0) + " takes longer than " + COMMAND_SECONDS + " s");
            }
            String text = Files.readString(output, StandardCharsets.UTF_8);
            if (process.exitValue() != 0) {
                throw new IOException(command.get(0) + " ended with " + process.exitValue() + ": " + text);
            }
            return text;
        } finally {
            Files.delete(output);
            Files.delete(script);
        }
    }

    private static List<String> with(List<String> prefix, String... command) {
        List<String> all = new ArrayList<>(prefix);
        all.addAll(List.of(command));
        return all;
    }

    /** Stops the server and deletes its folder. */
    @Override
    public void close() throws IOException {
        server.destroy();
        try {
            if (!server.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                server.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            server.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().removeShutdownHook(onExit);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
