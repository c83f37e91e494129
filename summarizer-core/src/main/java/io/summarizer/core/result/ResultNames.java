package io.summarizer.core.result;

import io.summarizer.core.archive.WindowName;
import java.util.HexFormat;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of the files of results, relative to the folder of all results. Stateless.
 *
 * <pre>
 * manifests/00000000000000000042.json                                    written last
 * checkpoints/00000000000000000042/000-of-002.state                      an owner's rows of no closed window
 * windows/NAME/20261120T000500Z/00000000000000000042-000-of-002-5f0c91e2.state
 *                                                                        an owner's rows of a closed window
 * </pre>
 *
 * <p>The name of a window's file has the checkpoint that closed the window, and the run of the owner. The run is needed
 * because a job that returns to an older savepoint uses the numbers of checkpoints again. A reader may then still have
 * the files of the abandoned results.
 */
public final class ResultNames {
    /** Folder of the manifests. */
    public static final String MANIFESTS = "manifests";
    /** Folder of the folders of checkpoints. */
    public static final String CHECKPOINTS = "checkpoints";

    private static final String STATE = ".state";
    private static final Pattern MANIFEST = Pattern.compile("(\\d{20})\\.json");
    private static final int DEPTH_MAX = 16;
    private static final int LENGTH_MAX = 1024;

    private ResultNames() {}

    /** Name of the manifest of a checkpoint. */
    public static String manifest(long checkpoint) {
        return MANIFESTS + '/' + number(checkpoint) + ".json";
    }

    /**
     * The number of the checkpoint in the name of a file in the folder of manifests; empty when the file is no
     * manifest.
     */
    public static OptionalLong checkpoint(String name) {
        Matcher manifest = MANIFEST.matcher(name);
        try {
            return manifest.matches() ? OptionalLong.of(Long.parseLong(manifest.group(1))) : OptionalLong.empty();
        } catch (NumberFormatException e) {
            return OptionalLong.empty(); // more than a long
        }
    }

    /** Name of the folder of a checkpoint. */
    public static String checkpoint(long checkpoint) {
        return CHECKPOINTS + '/' + number(checkpoint);
    }

    /** Name of the file in which an owner writes all its rows except those of closed windows. */
    public static String rows(long checkpoint, int owner, int owners) {
        return checkpoint(checkpoint) + '/' + of(owner, owners) + STATE;
    }

    /**
     * Name of the file in which an owner writes its rows of a closed window.
     *
     * @param start start of the window, in µs since the epoch
     * @param checkpoint the checkpoint that closed the window
     * @param run a number that no other run of the owner has
     */
    public static String window(String summary, long start, long checkpoint, int owner, int owners, int run) {
        return "windows/" + summary + '/' + WindowName.of(start) + '/' + number(checkpoint) + '-' + of(owner, owners)
                + '-' + HexFormat.of().toHexDigits(run) + STATE;
    }

    private static String number(long checkpoint) {
        if (checkpoint < 0) {
            throw new IllegalArgumentException("checkpoint=" + checkpoint);
        }
        return String.format(Locale.ROOT, "%020d", checkpoint);
    }

    private static String of(int owner, int owners) {
        return String.format(Locale.ROOT, "%03d-of-%03d", owner, owners);
    }

    /** Whether a file name from a manifest lies below the folder of results. */
    static boolean isInside(String file) {
        String[] segments = file.split("/", -1);
        if (file.length() > LENGTH_MAX || segments.length > DEPTH_MAX) {
            return false;
        }
        for (String segment : segments) {
            boolean isPlain = segment.chars()
                    .noneMatch(
                            c -> c == '\\' || c == ':' || Character.isISOControl(c) || Character.isSurrogate((char) c));
            if (segment.isEmpty() || segment.startsWith(".") || !isPlain) {
                return false;
            }
        }
        return true;
    }
}
