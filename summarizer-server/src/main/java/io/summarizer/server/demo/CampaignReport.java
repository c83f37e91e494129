package io.summarizer.server.demo;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Prints the CSV of the demo's {@code Campaigns} as a table of the campaigns with the most impressions. */
public final class CampaignReport {
    private static final List<String> HEADER =
            List.of("campaign", "impressions", "distinct users", "clicks", "conversions", "cost", "revenue");
    private static final List<String> COLUMNS =
            List.of("campaign_id", "impressions", "users", "clicks", "conversions", "cost", "revenue");
    private static final int FIRST_MONEY = 5;
    private static final int IMPRESSIONS = 1;

    private CampaignReport() {}

    /**
     * Returns the lines of a table.
     *
     * @param csv CSV from the service; it has numbers only, so no field is quoted
     * @param top largest number of rows
     * @throws IllegalArgumentException when the CSV is not the CSV of Campaigns
     */
    public static List<String> lines(String csv, int top) {
        List<String> lines = csv.lines().toList();
        if (lines.isEmpty() || !List.of(lines.get(0).split(",", -1)).equals(COLUMNS)) {
            throw new IllegalArgumentException(
                    "not the CSV of Campaigns: " + lines.stream().findFirst());
        }
        TextTable table = new TextTable(HEADER);
        lines.stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .sorted(Comparator.comparingLong((String[] cells) -> Long.parseLong(cells[IMPRESSIONS]))
                        .reversed())
                .limit(top)
                .forEach(cells -> table.add(cellsOf(cells)));
        return table.lines();
    }

    private static List<String> cellsOf(String[] cells) {
        String[] texts = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            texts[i] = i == 0
                    ? cells[i]
                    : i < FIRST_MONEY
                            ? String.format(Locale.ROOT, "%,d", Long.parseLong(cells[i]))
                            : String.format(
                                    Locale.ROOT, "%,.2f", new BigDecimal(cells[i]).setScale(2, RoundingMode.HALF_UP));
        }
        return List.of(texts);
    }
}
