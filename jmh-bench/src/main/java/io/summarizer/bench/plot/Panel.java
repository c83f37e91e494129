package io.summarizer.bench.plot;

/** One picture of a {@link Figure}. */
interface Panel {
    /** Draws into a rectangle that starts at 0, 0. */
    void draw(Svg svg, double width, double height);
}
