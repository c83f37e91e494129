package io.summarizer.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.GeneratedPage;
import io.summarizer.server.cli.ProjectHome;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The keys of docs/reference/configuration.md are those of config/summarizer.yaml, with their comments. */
class ConfigurationPageTest {
    /** A key; commented out when it has no default, or one that depends on the machine. */
    private static final Pattern KEY = Pattern.compile("( *)(# )?([a-z0-9-]+):(?: (.*))?");

    private static final Pattern COMMENT = Pattern.compile(" *# ?(.*)");

    /** A key in the file. */
    private record Entry(String comment, String value, boolean commentedOut) {}

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Map<String, String> sections = new LinkedHashMap<>();

    @Test
    void theReferenceHasEveryKey() throws IOException {
        read();
        assertThat(entries.keySet())
                .containsExactlyInAnyOrderElementsOf(ConfigKeys.all().keySet());
        StringBuilder page = new StringBuilder();
        String section = "";
        for (Map.Entry<String, Entry> each : entries.entrySet()) {
            String key = each.getKey();
            String of = section(key);
            if (!of.equals(section)) {
                section = of;
                if (section.equals("unmatched")) { // the file has named pipelines before it
                    page.append(list("pipelines"));
                }
                page.append("## ").append(section).append("\n\n");
            }
            String parent = key.contains(".") ? key.substring(0, key.lastIndexOf('.')) : "";
            String intro = sections.remove(parent);
            if (intro != null && !intro.isEmpty()) {
                page.append("**`").append(parent).append("`** ").append(intro).append("\n\n");
            }
            page.append("### `").append(key).append("`\n\n");
            page.append((defaultOf(key, each.getValue()) + " " + text(key, each.getValue())).strip())
                    .append("\n\n");
        }
        page.append(list("exports"));
        GeneratedPage.check(
                "docs/reference/configuration.md",
                "configuration: written by ConfigurationPageTest",
                wrapped(page.toString()));
    }

    private String list(String name) {
        return "## " + name + "\n\n" + sections.get(name) + "\n\n";
    }

    private static String section(String key) {
        String[] words = key.split("\\.");
        return words[0].equals("listen") ? words[0] + "." + words[1] : words[0];
    }

    private static String defaultOf(String key, Entry entry) {
        if (!entry.commentedOut || Set.of("definitions", "data").contains(key)) {
            return "Default `" + entry.value + "`.";
        }
        String fallback = Objects.requireNonNull(ConfigKeys.all().get(key)).fallback();
        // Comments of these keys say the default, which depends on the machine or on other keys.
        return key.matches(".*(workers|wait|client-auth)")
                ? ""
                : fallback.isEmpty() ? "No default; for example `" + entry.value + "`." : "Default `" + fallback + "`.";
    }

    /** The comment, or a reference to the first listener's when a listener has the same one. */
    private static String text(String key, Entry entry) {
        String like = key.replaceFirst("^(listen\\.[a-z-]+|http)\\.", "listen.syslog-tcp.");
        boolean refers = entry.comment.isEmpty() || entry.comment.startsWith("As for syslog-tcp");
        String rest = entry.comment.replaceFirst("^As for syslog-tcp[.;]?", "").strip();
        return refers
                ? "As [`" + like + "`](#" + like.replace(".", "") + ")" + (rest.isEmpty() ? "." : "; " + rest)
                : entry.comment;
    }

    private void read() throws IOException {
        Deque<String> path = new ArrayDeque<>();
        StringBuilder comment = new StringBuilder();
        boolean used = false;
        for (String line : Files.readAllLines(ProjectHome.path().resolve("config/summarizer.yaml"))) {
            Matcher key = KEY.matcher(line);
            String name = "";
            if (key.matches()) {
                while (path.size() > key.group(1).length() / 2) {
                    path.removeLast();
                }
                name = String.join(".", path) + (path.isEmpty() ? "" : ".") + key.group(3);
            }
            boolean setting = ConfigKeys.all().containsKey(name);
            if (setting) {
                entries.put(name, new Entry(comment.toString(), key.group(4), key.group(2) != null));
                used = true;
            } else if (!name.isEmpty() && key.group(2) == null) {
                sections.put(name, comment.toString());
                comment.setLength(0);
                path.addLast(key.group(3));
            } else if (line.isBlank()) {
                putList(used ? "" : comment.toString());
                comment.setLength(0);
                used = false;
            } else {
                if (used) {
                    comment.setLength(0);
                    used = false;
                }
                Matcher text = COMMENT.matcher(line);
                assertThat(text.matches()).as(line).isTrue();
                comment.append(comment.length() == 0 ? "" : text.group(1).startsWith("  ") ? "\n" : " ")
                        .append(text.group(1));
            }
        }
        putList(comment.toString());
        sections.remove("listen");
    }

    /** Keeps the comment on a list of sections: the text before the example, and the example as a block. */
    private void putList(String comment) {
        Matcher example = Pattern.compile("\n  ([a-z]+):\n").matcher(comment);
        if (example.find()) {
            sections.put(
                    example.group(1),
                    comment.substring(0, example.start()).strip() + "\n\n```yaml\n"
                            + comment.substring(example.start() + 1).replaceAll("(?m)^  ", "") + "\n```");
        }
    }

    /** Wraps paragraphs at 120. */
    private static String wrapped(String text) {
        String page = text.replaceAll("docs/((?:operate|pull)/([a-z-]+)\\.md)", "[$2](../$1)");
        StringBuilder out = new StringBuilder();
        for (String line : page.split("\n")) {
            int width = 0;
            for (String word :
                    line.startsWith(" ") ? new String[] {line} : line.strip().split(" ")) {
                boolean fits = width + 1 + word.length() <= 120;
                out.append(width == 0 ? "" : fits ? " " : "\n").append(word);
                width = fits && width > 0 ? width + 1 + word.length() : word.length();
            }
            out.append('\n');
        }
        return out.toString();
    }
}
