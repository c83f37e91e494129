package io.summarizer.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.summarizer.server.Await;
import io.summarizer.server.cli.Commands;
import io.summarizer.server.cli.ProjectHome;
import io.summarizer.server.demo.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs a page of Markdown step by step, like a reader who pastes each block into bash, in a folder of its own with the
 * project's {@code schemas/}.
 * <ul>
 * <li>{@code sh} blocks are commands, each of which must succeed; those of an {@code sh fails} block must not.
 * <li>A {@code text} block is the output of the commands before it, on standard output or with standard error before or
 * after it; {@code …} stands for anything, alone in its line for any lines. A {@code csv} block is the same, its rows
 * in any order.
 * <li>Another block whose first line is a comment with a path, {@code // my/shop.summ}, is a file to save. A {@code
 * summ} or {@code proto} block without one is an excerpt of a file of {@code schemas/}.
 * <li>{@code python} and {@code r} blocks are run like commands when their interpreter is given. All others are not
 * run.
 * </ul>
 *
 * <p>{@code bin/summarizer} is not a process: it runs in this JVM. {@code serve} starts a {@link RunningService} that
 * lasts until the page ends; the ports 5514, 2514 and 8080 of 127.0.0.1 stand for its ports. {@code duckdb} runs SQL by
 * JDBC and prints CSV. All other programs are those of the machine.
 */
final class Walkthrough {
    private static final Pattern BLOCK =
            Pattern.compile("^( *)```(\\w*)( fails)?\\n(.*?)^ *```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern FILE_NAME = Pattern.compile("(?://|#) (\\S+/\\S+)\n");
    private static final Pattern SENT = Pattern.compile("^sent ([\\d,]+) message");
    private static final Set<String> PATH_OPTIONS =
            Set.of("--config", "--definitions", "--emit-java", "--from-state", "--out", "--rejects", "--state");
    private static final Set<String> CLIENTS = Set.of("export", "ledger", "plan", "reload", "reset", "windows");
    private static final int PAGE_SECONDS = 180;

    /** Ports in the pages. */
    private static final int SYSLOG = 5514;

    private static final int RELP = 2514;
    private static final int HTTP = 8080;

    /** The shell's side: a call is a folder with its arguments and its input, to which the result is added. */
    private static final String PRELUDE = """
            set -euo pipefail
            exec 8>&1 9<&0 </dev/null
            call() {
              local folder status
              folder=$(mktemp -d "$WALKTHROUGH/call.XXXXXX")
              printf '%s\\0' "$@" >"$folder/arguments"
              cat >"$folder/in"
              echo "$folder" >&8
              read -r status <&9
              cat "$folder/out"
              cat "$folder/err" >&2
              return "$status"
            }
            bin/summarizer() { call summarizer "$@"; }
            duckdb() { call duckdb "$@"; }
            logger() { call logger "$@"; }
            """;

    private record Block(String language, boolean fails, String text, int line) {
        boolean isCommands(Set<String> interpreters) {
            return language.equals("sh") || interpreters.contains(language);
        }

        /** Whether it is a program, which runs where its interpreter is installed. */
        boolean isProgram() {
            return language.equals("python") || language.equals("r");
        }

        boolean isOutput() {
            return language.equals("text") || language.equals("csv");
        }

        boolean isDefinition() {
            return language.equals("summ") || language.equals("proto");
        }
    }

    private final Path page;
    private final Path folder;
    private final Path scratch;
    private final Map<String, String> environment;
    private final Map<String, List<String>> interpreters;
    private final Map<Integer, Integer> ports = new HashMap<>();
    private @Nullable RunningService service;

    private Walkthrough(
            Path page,
            Path folder,
            Path scratch,
            Map<String, String> environment,
            Map<String, List<String>> interpreters) {
        this.page = page;
        this.folder = folder;
        this.scratch = scratch;
        this.environment = environment;
        this.interpreters = interpreters;
    }

    /**
     * Runs all steps of a page; fails when a step does not do what the page says.
     *
     * @param folder an empty folder, in which it leaves the files of the page and, hidden, those of the calls
     * @param environment variables for programs
     * @param interpreters commands that run a file, by the language of its blocks
     * @return lines of blocks that were not run, as {@code LINE LANGUAGE}
     */
    static List<String> of(
            Path page, Path folder, Map<String, String> environment, Map<String, List<String>> interpreters)
            throws Exception {
        return of("", page, folder, environment, interpreters);
    }

    /** Runs it after other commands that the page assumes. */
    static List<String> of(
            String before,
            Path page,
            Path folder,
            Map<String, String> environment,
            Map<String, List<String>> interpreters)
            throws Exception {
        Path scratch = Files.createDirectory(folder.resolve(".walkthrough"));
        Files.createSymbolicLink(folder.resolve("schemas"), ProjectHome.path().resolve("schemas"));
        Walkthrough walkthrough = new Walkthrough(page, folder, scratch, environment, interpreters);
        try {
            return walkthrough.run(before);
        } finally {
            if (walkthrough.service != null) {
                walkthrough.service.close();
            }
        }
    }

    private List<String> run(String before) throws Exception {
        for (int port : List.of(SYSLOG, RELP, HTTP)) {
            ports.put(port, FreePort.next());
        }
        List<Block> blocks = blocks(Files.readString(page));
        List<String> notRun = new ArrayList<>();
        StringBuilder script = new StringBuilder(PRELUDE).append(inTest(before));
        for (int i = 0; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            Matcher name = FILE_NAME.matcher(block.text);
            if (block.isCommands(interpreters.keySet())) {
                script.append(commands(block, i));
            } else if (!block.isOutput() && name.lookingAt()) {
                Path file = Files.writeString(scratch.resolve("file." + i), block.text);
                script.append("mkdir -p \"$(dirname '%1$s')\"; cp '%2$s' '%1$s'\n".formatted(name.group(1), file));
            } else if (block.isDefinition()) {
                checkExcerpt(block);
            } else if (!block.isOutput()) {
                notRun.add(block.line + " " + block.language);
            }
        }
        int status = bash(script.toString());
        checkOutputs(blocks, status);
        return notRun;
    }

    private String commands(Block block, int index) throws IOException {
        StringBuilder script = new StringBuilder("exec >'%1$s/%2$d.out' 2>'%1$s/%2$d.err'\n".formatted(scratch, index));
        String text = inTest(block.text);
        if (!block.language.equals("sh")) {
            Path program = Files.writeString(scratch.resolve("program." + index), text);
            return script.append(String.join(" ", interpreters.get(block.language)) + " '" + program + "'\n")
                    .toString();
        }
        return block.fails
                ? script.append("set +e\n" + text + "[ $? -ne 0 ] || exit 99\nset -e\n")
                        .toString()
                : script.append(text).toString();
    }

    private int bash(String script) throws Exception {
        Path file = Files.writeString(scratch.resolve("script"), script);
        ProcessBuilder builder = new ProcessBuilder("bash", file.toString())
                .directory(folder.toFile())
                .redirectError(scratch.resolve("shell.err").toFile());
        builder.environment().putAll(environment);
        builder.environment().put("WALKTHROUGH", scratch.toString());
        Process process = builder.start();
        Thread watchdog = new Thread(() -> {
            try {
                if (!process.waitFor(PAGE_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
            }
        });
        watchdog.start();
        try (BufferedReader calls = process.inputReader(UTF_8);
                PrintStream answers = new PrintStream(process.getOutputStream(), true, UTF_8)) {
            for (String call = calls.readLine(); call != null; call = calls.readLine()) {
                answers.println(answer(Path.of(call)));
            }
        } finally {
            watchdog.interrupt();
        }
        return process.waitFor();
    }

    /** Executes one call; returns its exit code. */
    private int answer(Path call) throws Exception {
        List<String> arguments = new ArrayList<>(
                Arrays.asList(Files.readString(call.resolve("arguments")).split("\0")));
        String program = arguments.remove(0);
        Commands.Outcome outcome;
        if (program.equals("duckdb")) {
            int command = arguments.indexOf("-c");
            String sql = command < 0 ? Files.readString(call.resolve("in")) : arguments.get(command + 1);
            outcome = new Commands.Outcome(0, duckDb(sql), "");
        } else if (program.equals("logger")) {
            outcome = log(arguments);
        } else if (arguments.contains("serve")) {
            serve(arguments);
            outcome = new Commands.Outcome(0, "", "");
        } else {
            outcome = summarizer(arguments, call.resolve("in"));
        }
        Files.writeString(call.resolve("out"), outcome.out());
        Files.writeString(call.resolve("err"), outcome.err());
        return outcome.exit();
    }

    /** Sends one message with the program of this name, and waits until the service has it. */
    private Commands.Outcome log(List<String> arguments) throws Exception {
        RunningService to = Objects.requireNonNull(service, "no service runs");
        long before = to.received();
        arguments.add(0, "logger");
        Process logger = new ProcessBuilder(arguments).redirectErrorStream(true).start();
        String said = new String(logger.getInputStream().readAllBytes(), UTF_8);
        int status = logger.waitFor();
        if (status == 0) {
            to.awaitReceived(before + 1);
        }
        return new Commands.Outcome(status, "", said);
    }

    private Commands.Outcome summarizer(List<String> arguments, Path in) throws Exception {
        String command = arguments.get(0);
        Map<String, String> variables = new HashMap<>(environment);
        if (service != null && CLIENTS.contains(command)) {
            variables.put("SUMMARIZER_SERVER", service.url());
        }
        long before = service == null ? 0 : service.received();
        Commands.Outcome outcome;
        InputStream own = System.in;
        try (InputStream input = Files.newInputStream(in)) {
            System.setIn(input);
            outcome = Commands.run(variables, absolute(arguments).toArray(String[]::new));
        } finally {
            System.setIn(own);
        }
        if (service != null && command.equals("rejects")) {
            return rejects(outcome, absolute(arguments));
        }
        Matcher sent = SENT.matcher(outcome.err());
        if (service != null && arguments.contains("--to") && sent.lookingAt()) {
            service.awaitReceived(before + Long.parseLong(sent.group(1).replace(",", "")));
        }
        return outcome;
    }

    /** Rejected messages, which a service writes to its folder within 0.2 s. */
    private static Commands.Outcome rejects(Commands.Outcome first, List<String> arguments) {
        List<Commands.Outcome> last = new ArrayList<>(List.of(first));
        Await.until(() -> "no rejected message: " + arguments, () -> {
            if (last.get(0).out().isEmpty()) {
                last.set(0, Commands.run(arguments.toArray(String[]::new)));
            }
            return !last.get(0).out().isEmpty();
        });
        return last.get(0);
    }

    private void serve(List<String> arguments) throws Exception {
        if (service != null) {
            service.close();
        }
        Path definitions = folder.resolve("schemas");
        List<String> settings = new ArrayList<>(List.of(
                "listen.syslog-tcp.bind=127.0.0.1:" + ports.get(SYSLOG),
                "listen.relp.bind=127.0.0.1:" + ports.get(RELP),
                "http.bind=127.0.0.1:" + ports.get(HTTP)));
        List<Path> states = new ArrayList<>();
        @Nullable Path config = null;
        for (int i = 1; i < arguments.size(); i += 2) {
            String value = arguments.get(i + 1);
            switch (arguments.get(i)) {
                case "--config" -> config = folder.resolve(value);
                case "--definitions" -> definitions = folder.resolve(value);
                case "--from-state" -> states.add(folder.resolve(value));
                case "--set" -> settings.add(setting(value));
                default -> throw new AssertionError(page + ": serve " + arguments.get(i));
            }
            if (value.startsWith("definitions=")) {
                definitions = folder.resolve(value.substring("definitions=".length()));
            }
        }
        service = RunningService.start(
                config, definitions, folder.resolve("data"), states, settings.toArray(String[]::new));
    }

    /** Resolves paths in arguments against the page's folder, which is not this process's working directory. */
    private List<String> absolute(List<String> arguments) {
        List<String> absolute = new ArrayList<>(arguments.subList(0, 1));
        String before = arguments.get(0);
        for (String argument : arguments.subList(1, arguments.size())) {
            int value = argument.indexOf('=') + 1;
            if (PATH_OPTIONS.contains(before) || before.equals("merge")) {
                absolute.add(folder.resolve(argument).toString());
            } else if (before.equals("--set")) {
                absolute.add(setting(argument));
            } else if (value > 0 && PATH_OPTIONS.contains(argument.substring(0, value - 1))) {
                absolute.add(argument.substring(0, value) + folder.resolve(argument.substring(value)));
            } else if (!argument.isEmpty() && argument.indexOf('\n') < 0 && Files.exists(folder.resolve(argument))) {
                absolute.add(folder.resolve(argument).toString());
            } else {
                absolute.add(argument);
            }
            before = argument;
        }
        return absolute;
    }

    private String setting(String setting) {
        for (String key : List.of("definitions=", "data=", "http.tokens=")) {
            if (setting.startsWith(key)) {
                return key + folder.resolve(setting.substring(key.length()));
            }
        }
        return setting;
    }

    /** The rows of the last statement, as {@code duckdb -csv} prints them. */
    private String duckDb(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("SET file_search_path = '" + folder + "'");
            StringBuilder csv = new StringBuilder();
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    ResultSetMetaData columns = rows.getMetaData();
                    List<String> cells = new ArrayList<>();
                    for (int i = 1; i <= columns.getColumnCount(); i++) {
                        cells.add(columns.getColumnLabel(i));
                    }
                    csv.append(String.join(",", cells)).append('\n');
                    while (rows.next()) {
                        cells.clear();
                        for (int i = 1; i <= columns.getColumnCount(); i++) {
                            cells.add(rows.getString(i));
                        }
                        csv.append(String.join(",", cells)).append('\n');
                    }
                }
            }
            return csv.toString();
        }
    }

    private void checkOutputs(List<Block> blocks, int status) throws IOException {
        int last = -1;
        boolean ran = false;
        for (int i = 0; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            if (block.isCommands(interpreters.keySet())) {
                if (!Files.exists(scratch.resolve(i + ".out"))) {
                    break;
                }
                last = i;
                ran = true;
            } else if (block.isProgram()) {
                ran = false;
            } else if (block.isOutput() && ran && status == 0) {
                checkOutput(block, last);
            }
        }
        if (status != 0) {
            String where = last < 0 ? "before its first commands" : "in line " + blocks.get(last).line;
            throw new AssertionError(page + " ended with " + status + " " + where + "\n" + output(last, "out")
                    + output(last, "err") + Files.readString(scratch.resolve("shell.err")));
        }
    }

    private void checkOutput(Block block, int commands) throws IOException {
        String out = output(commands, "out");
        String err = output(commands, "err");
        boolean same = block.language.equals("csv")
                ? rows(out).equals(rows(block.text))
                : List.of(out, out + err, err + out).stream()
                        .anyMatch(text -> pattern(block.text).matcher(text).matches());
        if (!same) {
            throw new AssertionError(page + ":" + block.line + ": it says\n" + block.text + "and the commands print\n"
                    + out + "and on standard error\n" + err);
        }
    }

    /** The header and the sorted rows. */
    private static List<String> rows(String csv) {
        List<String> lines = csv.lines().toList();
        List<String> rows = new ArrayList<>(lines.subList(0, Math.min(1, lines.size())));
        lines.stream().skip(1).sorted().forEach(rows::add);
        return rows;
    }

    private static Pattern pattern(String text) {
        String pattern = text.lines()
                .map(line -> line.strip().equals("…")
                        ? "(?:.*\n)*"
                        : Arrays.stream(line.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*"))
                                + "\n")
                .collect(Collectors.joining());
        return Pattern.compile(pattern);
    }

    /** The output of commands, as their reader sees it. */
    private String output(int commands, String stream) throws IOException {
        Path file = scratch.resolve(commands + "." + stream);
        if (!Files.exists(file)) {
            return "";
        }
        String text = Files.readString(file).replace(folder + "/", "");
        for (Map.Entry<Integer, Integer> port : ports.entrySet()) {
            text = text.replaceAll("127\\.0\\.0\\.1:" + port.getValue() + "\\b", "127.0.0.1:" + port.getKey());
        }
        return text;
    }

    private String inTest(String commands) {
        String text = commands;
        for (Map.Entry<Integer, Integer> port : ports.entrySet()) {
            // A port that was put in before may begin with the digits of this one.
            text = text.replaceAll("127\\.0\\.0\\.1(:| -P )" + port.getKey() + "\\b", "127.0.0.1$1" + port.getValue());
        }
        return text;
    }

    private void checkExcerpt(Block block) throws IOException {
        try (var files = Files.walk(ProjectHome.path().resolve("schemas"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (file.toString().endsWith("." + block.language)
                        && Files.readString(file).contains(block.text)) {
                    return;
                }
            }
        }
        throw new AssertionError(
                page + ":" + block.line + ": no ." + block.language + " file of schemas/ has this excerpt");
    }

    private static List<Block> blocks(String markdown) {
        List<Block> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(markdown);
        while (matcher.find()) {
            int line = (int) markdown.substring(0, matcher.start()).lines().count() + 1;
            String text = matcher.group(4).replaceAll("(?m)^" + matcher.group(1), "");
            blocks.add(new Block(matcher.group(2), matcher.group(3) != null, text, line));
        }
        return blocks;
    }
}
