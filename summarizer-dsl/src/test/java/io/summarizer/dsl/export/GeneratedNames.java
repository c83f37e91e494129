package io.summarizer.dsl.export;

import java.util.List;

/** Names that generated code uses itself, and an expression whose code has most of them. */
public final class GeneratedNames {
    /** The names, as definitions may have them. */
    public static final List<String> ALL = List.of(
            ("operand holds fails result unknown truth integer found complete value unread time substr string right read"
                            + " parts number micros lower literal left isIn hashed addHashed hash from first extraction"
                            + " extracted expression count condition concat chosen rows row0 row cells0 cells base0 event"
                            + " counts decimal message router updates text TEXT text1 upper resultIsNull operandNull"
                            + " decoder plan zone scan start process mark key list element bytes at active problem"
                            + " io java Texts Hashes Bytes InputEvent Numbers this long return")
                    .split(" "));

    /**
     * True for the text "a", the integer 2 and the double 0, which stand for {@code $text}, {@code $int},
     * {@code $double}.
     */
    public static final String EXPRESSION = """
            (hash64($text, $int, $double, $int > 1) == 1 or $text + string($int) + string($double) + "x" != "y")
             and has(extract($text, "(a)", 1)) and lower($text) in ("b", upper(substr($text, 1, $int)), $text)
             and if($int * 2 > 3, coalesce($int / 3, $double), $double) > 0.5
             and len($text) + $int - 1 == 2 and -$int in (1, -$int, int64($text)) and $text <= $text
             and bucket(timestamp($int), 5m) <= timestamp($int) and coalesce($text, "b") == "a"
             and not ($int % 5 == 0 or double($int) > 5 or $double != $double)""";

    private GeneratedNames() {}
}
