package io.summarizer.bench.sweep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The JDKs of this machine that can run a server, by version. Of several JDKs with the same version, the first one
 * found is used.
 */
public final class Jdks {
    private static final int OLDEST = 17;
    private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(.*)\"");

    private final Map<String, Path> homes = new LinkedHashMap<>();

    /**
     * Finds JDKs: first the JDK in {@code JAVA_HOME} and the JDK that runs this process, then those in the usual
     * folders.
     */
    public static Jdks find(Map<String, String> environment) throws IOException {
        Jdks jdks = new Jdks();
        String javaHome = environment.getOrDefault("JAVA_HOME", "");
        if (!javaHome.isEmpty()) {
            jdks.offer(Path.of(javaHome));
        }
        jdks.offer(Path.of(System.getProperty("java.home")));
        Path user = Path.of(System.getProperty("user.home"));
        for (Path folder : List.of(
                Path.of("/usr/lib/jvm"),
                Path.of("/usr/java"),
                Path.of("/opt"),
                Path.of("/opt/java"),
                user.resolve(".sdkman/candidates/java"),
                user.resolve(".jdks"))) {
            jdks.offerAll(folder);
        }
        return jdks;
    }

    /** Adds the JDK in the folder {@code home}. Returns the JDK's version; empty when the folder has no usable JDK. */
    public Optional<String> offer(Path home) throws IOException {
        Path release = home.resolve("release");
        if (!Files.isExecutable(home.resolve("bin/java")) || !Files.isRegularFile(release)) {
            return Optional.empty();
        }
        Matcher version = VERSION.matcher(Files.readString(release));
        if (!version.find() || feature(version.group(1)) < OLDEST) {
            return Optional.empty();
        }
        homes.putIfAbsent(version.group(1), home);
        return Optional.of(version.group(1));
    }

    private void offerAll(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        List<Path> inside;
        try (Stream<Path> list = Files.list(folder)) {
            inside = list.sorted().toList();
        }
        for (Path home : inside) {
            var unused = offer(home);
        }
    }

    /** All versions, the oldest first. */
    public List<String> versions() {
        List<String> versions = new ArrayList<>(homes.keySet());
        versions.sort(Comparator.comparingInt(Jdks::feature).thenComparing(Comparator.naturalOrder()));
        return versions;
    }

    /**
     * Returns the version of the JDK that a word names. The word is a version, a feature release such as {@code 17}, or
     * the folder of the JDK.
     *
     * @throws IllegalArgumentException when there is no such JDK
     */
    public String version(String word) throws IOException {
        for (String version : versions()) {
            if (version.equals(word) || word.equals("" + feature(version))) {
                return version;
            }
        }
        return (word.contains("/") ? offer(Path.of(word)) : Optional.<String>empty())
                .orElseThrow(() -> new IllegalArgumentException(
                        "no JDK " + word + "; there are " + versions() + ", and the folder of another may be given"));
    }

    /** The folder of a version. */
    public Path home(String version) {
        Path home = homes.get(version);
        if (home == null) {
            throw new IllegalArgumentException("no JDK " + version + " on this machine");
        }
        return home;
    }

    private static int feature(String version) {
        return Integer.parseInt(version.split("[.+-]")[0]);
    }
}
