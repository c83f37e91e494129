package io.summarizer.bench.plot;

/** The style sheet of a page around pictures; light or dark as the reader's system is. */
final class Page {
    private Page() {}

    static String css() {
        return """
                :root { color-scheme: light dark; --back: %1$s; --ink: %2$s; --muted: %3$s; --line: #dfe3e8; --strip: #f3f5f7 }
                @media (prefers-color-scheme: dark) {
                  :root { --back: %4$s; --ink: %5$s; --muted: %6$s; --line: #333a45; --strip: #1e232b }
                }
                body { margin: 2rem auto; max-width: 1160px; padding: 0 1rem; background: var(--back); color: var(--ink);
                  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif }
                h1 { font-size: 1.6rem } h2 { font-size: 1.3rem; margin-top: 2.5rem } h3 { font-size: 1.05rem }
                figure { margin: 1.5rem 0; overflow-x: auto }
                figure svg { max-width: 100%%; height: auto }
                .wide { overflow-x: auto }
                table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums }
                th, td { padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top }
                th { background: var(--strip); font-weight: 600 }
                th:first-child, td:first-child, .advice td, .advice th { text-align: left }
                details { margin: 0.5rem 0 1.5rem } summary { cursor: pointer; color: var(--muted) }
                """.formatted(
                        Palette.LIGHT_BACKGROUND,
                        Palette.LIGHT_TEXT.get(0),
                        Palette.LIGHT_TEXT.get(1),
                        Palette.DARK_BACKGROUND,
                        Palette.DARK_TEXT.get(0),
                        Palette.DARK_TEXT.get(1));
    }
}
