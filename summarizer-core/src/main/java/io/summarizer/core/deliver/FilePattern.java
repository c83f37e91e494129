package io.summarizer.core.deliver;

import io.summarizer.core.archive.WindowName;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of an export's files: an absolute path in which {@code {summary}}, {@code {window}}, {@code {date}} and
 * {@code {cut}} stand for properties of the delivery. Immutable.
 *
 * <p>The folder above the first property in braces (see {@link Place}) has to exist, because the export makes only the
 * folders below it. If the path has no property, the file's own folder has to exist. If the required folder is below
 * the mount point of a file system that is not mounted, the folder is missing. The export then does not write into the
 * empty mount point.
 */
public final class FilePattern {
    private static final Pattern PLACE = Pattern.compile("\\{([^{}]*)}");
    private static final long MICROS_PER_DAY = 86_400_000_000L;

    private final String text;

    /** A property of a delivery. */
    public enum Place {
        /** The summary, {@code NAME.FIELD} for a nested one. */
        SUMMARY,
        /** The start of the window, as in {@code 20261120T000500Z}. */
        WINDOW,
        /** The UTC date of the start of the window, or of the time at which the file is due. */
        DATE,
        /** The id of the cut. */
        CUT;

        /** The place in a pattern. */
        public String text() {
            return '{' + name().toLowerCase(Locale.ROOT) + '}';
        }
    }

    /** The path of a file: the names of the folders below {@link #base}, then the file name. */
    record File(List<String> folders, String name) {}

    private FilePattern(String text) {
        this.text = text;
    }

    /**
     * A pattern without {@code .} and {@code ..}, so that two spellings of a path are equal. After a symbolic link,
     * {@code ..} leads above the folder to which the link points now; other links stay in the path.
     *
     * @throws IllegalArgumentException when the path is not absolute, has no file name, or has braces that do not
     *     belong to a {@link Place}
     */
    public static FilePattern of(Path path) {
        String text = withoutDots(path).toString();
        Matcher place = PLACE.matcher(text);
        String rest = place.replaceAll(found -> isPlace(found.group()) ? "x" : "{");
        if (!path.isAbsolute() || path.getFileName() == null || rest.contains("{") || rest.contains("}")) {
            throw new IllegalArgumentException(text);
        }
        return new FilePattern(text);
    }

    private static Path withoutDots(Path path) {
        Path clean = path.getRoot();
        if (clean == null) {
            return path;
        }
        for (Path name : path) {
            if (!name.toString().equals("..")) {
                clean = clean.resolve(name).normalize();
            } else if (clean.getParent() != null) {
                clean = target(clean).resolve("..").normalize();
            }
        }
        return clean;
    }

    private static Path target(Path folder) {
        try {
            return Files.isSymbolicLink(folder) ? folder.toRealPath() : folder;
        } catch (IOException e) {
            return folder; // a link to nothing: an export reports the missing folder
        }
    }

    private static boolean isPlace(String text) {
        return Arrays.stream(Place.values()).anyMatch(place -> place.text().equals(text));
    }

    /** Whether names differ by this property. */
    public boolean has(Place place) {
        return text.contains(place.text());
    }

    /** Whether the names are those of manifests. A manifest of another export could have the same name. */
    public boolean isManifest() {
        return text.endsWith(ExportFile.MANIFEST);
    }

    /** This pattern, with the name of a table put in the place of {@code {summary}}. */
    public String of(String table) {
        return text.replace(Place.SUMMARY.text(), encoded(table.replace('/', '.')));
    }

    /**
     * Encodes a text as part of a file name. This is needed because a name in backticks may have characters that are
     * not allowed in file names.
     */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("*", "%2A");
    }

    /** The folder that has to exist. */
    Path base() {
        int first = text.indexOf('{');
        int end = text.lastIndexOf('/', first < 0 ? text.length() : first);
        return Path.of(text.substring(0, Math.max(1, end)));
    }

    /**
     * The file of a delivery.
     *
     * @param time start of the window, or the time at which the file is due, in µs since the epoch
     */
    File file(String table, long time, long cut) {
        String all = of(table)
                .replace(Place.WINDOW.text(), WindowName.of(time))
                .replace(
                        Place.DATE.text(),
                        LocalDate.ofEpochDay(Math.floorDiv(time, MICROS_PER_DAY))
                                .toString())
                .replace(Place.CUT.text(), Long.toString(cut));
        Path below = base().relativize(Path.of(all));
        int last = below.getNameCount() - 1;
        List<String> folders = last == 0
                ? List.of()
                : List.of(below.subpath(0, last).toString().split("/", -1));
        return new File(folders, below.getName(last).toString());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FilePattern pattern && text.equals(pattern.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
