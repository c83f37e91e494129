package io.summarizer.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.server.cli.ProjectHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A page with a part that is generated from the code, between two comments. {@code -Dsummarizer.golden.regenerate=true}
 * rewrites the part, and fails.
 */
public final class GeneratedPage {
    private static final String END = "<!-- end of generated text -->";

    private GeneratedPage() {}

    /**
     * Compares the part with its generated text.
     *
     * @param mark text of the comment before it
     */
    public static void check(String page, String mark, String generated) throws IOException {
        Path path = ProjectHome.path().resolve(page);
        String text = Files.readString(path);
        String begin = "<!-- " + mark + " -->\n";
        assertThat(text).as(page).contains(begin, END);
        int from = text.indexOf(begin) + begin.length();
        int to = text.indexOf(END, from);
        String whole = generated.strip() + "\n\n";
        if (Boolean.getBoolean("summarizer.golden.regenerate")) {
            Files.writeString(path, text.substring(0, from) + "\n" + whole + text.substring(to));
            throw new AssertionError(path + " is written anew");
        }
        assertThat(text.substring(from, to)).as(page).isEqualTo("\n" + whole);
    }
}
