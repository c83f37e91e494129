package io.summarizer.bench.plot;

import java.util.Locale;

/** Writes SVG elements. Text and attribute values are escaped here and nowhere else. Not thread-safe. */
final class Svg {
    /** The usual size of text, in pixels. */
    static final double TEXT = 12;

    private static final double TEXT_MIN = 8.5;

    /** Width of a letter of average text, as a share of its size. */
    private static final double LETTER = 0.58;

    private final StringBuilder out = new StringBuilder();

    /** Opens an element; {@code attributes} are names and values in turn. */
    Svg open(String element, Object... attributes) {
        out.append('<').append(element);
        attributes(attributes);
        out.append(">\n");
        return this;
    }

    Svg close(String element) {
        out.append("</").append(element).append(">\n");
        return this;
    }

    /** An element without content. */
    Svg element(String element, Object... attributes) {
        out.append('<').append(element);
        attributes(attributes);
        out.append("/>\n");
        return this;
    }

    /** A line of text; {@code classes} give its colour. */
    Svg text(double x, double y, String anchor, String classes, String text, Object... attributes) {
        out.append("<text");
        attributes("x", x, "y", y, "text-anchor", anchor, "class", classes);
        attributes(attributes);
        out.append('>').append(escape(text)).append("</text>\n");
        return this;
    }

    /** Text as it is, for style sheets. */
    Svg raw(String text) {
        out.append(text);
        return this;
    }

    private void attributes(Object... attributes) {
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ').append(attributes[i]).append("=\"");
            Object value = attributes[i + 1];
            out.append(value instanceof Double number ? number(number) : escape(value.toString()))
                    .append('"');
        }
    }

    /** The size at which a text is about so wide at most; the usual one where it fits. */
    static double fitting(String text, double width) {
        return Math.max(TEXT_MIN, Math.min(TEXT, width / (LETTER * Math.max(1, text.length()))));
    }

    /** A coordinate: a tenth of a pixel is enough, and the same figures give the same bytes. */
    static String number(double value) {
        String text = String.format(Locale.ROOT, "%.1f", value + 0.0);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }

    /** Text for XML and HTML. */
    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
