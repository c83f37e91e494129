package io.summarizer.core.export;

/**
 * Finds the places in a text where a spreadsheet could see the start of a formula. In many countries, programs split
 * the lines of a CSV at another character than the comma, and ignore the quotes of a field. So a formula may begin at
 * the start of the text, and after each character that separates cells or lines in any country. White space, quotes and
 * invisible characters may precede a formula. Spreadsheets also accept the full-width and small forms of a formula's
 * first character. Stateless.
 */
final class SpreadsheetText {
    private SpreadsheetText() {}

    /**
     * The first place from {@code from} on that needs an apostrophe, or -1.
     *
     * @param cellStarts whether a cell starts at {@code from}; if not, the next cell starts after the next separator
     */
    static int nextFormula(byte[] text, int from, int end, boolean cellStarts) {
        int cell = cellStarts ? from : -1;
        int at = from;
        while (at < end) {
            int width = width(text, at, end);
            int c = codePoint(text, at, width);
            at += width;
            if (separates(c)) {
                cell = at;
            } else if (cell >= 0 && starts(c)) {
                return cell;
            } else if (!isLookedThrough(c)) {
                cell = -1;
            }
        }
        return -1;
    }

    private static boolean separates(int c) {
        return switch (c) {
            case ';', '\t', '\n', '\r', '|', '\u061B', '\u2028', '\u2029', '\u0085' -> true;
            default -> false;
        };
    }

    private static boolean starts(int c) {
        return switch (c) {
            case '=', '+', '-', '@' -> true;
            case '\uFF1D', '\uFF0B', '\uFF0D', '\uFF20' -> true; // full-width
            case '\uFE66', '\uFE62', '\uFE63', '\uFE6B' -> true; // small
            case '\u2212', '\u207A', '\u207B', '\u207C' -> true; // minus sign, superscripts
            default -> false;
        };
    }

    private static boolean isLookedThrough(int c) {
        return c <= ' '
                || c == '"'
                || Character.isSpaceChar(c)
                || Character.isISOControl(c)
                || Character.getType(c) == Character.FORMAT;
    }

    private static int width(byte[] text, int at, int end) {
        int b = text[at];
        int width = b >= 0 ? 1 : (b & 0xE0) == 0xC0 ? 2 : (b & 0xF0) == 0xE0 ? 3 : 4;
        return Math.min(width, end - at);
    }

    private static int codePoint(byte[] text, int at, int width) {
        int b = text[at];
        if (width == 1) {
            return b & 0xff;
        }
        int c = b & (0xff >> (width + 1));
        for (int i = 1; i < width; i++) {
            c = c << 6 | (text[at + i] & 0x3f);
        }
        return c;
    }
}
