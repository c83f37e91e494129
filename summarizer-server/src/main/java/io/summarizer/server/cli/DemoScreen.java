package io.summarizer.server.cli;

import io.summarizer.server.demo.CampaignReport;
import io.summarizer.server.http.Listing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** The output of the demo. Used by the thread of the command. */
record DemoScreen(Terminal terminal) {
    private static final int TOP = 10;

    /** Prints the title. */
    void title() {
        line("");
        line("  " + terminal.bold("Summarizer") + ": events in by syslog, small keyed summaries out as CSV");
        line("");
    }

    /** Says that a part is there. */
    void done(String what, String text) {
        line("  " + terminal.accent("✓") + " " + String.format("%-9s", what) + " " + text);
    }

    /** Tells the user that a part is missing, and what replaces the part. */
    void note(String what, String text) {
        line("  · " + String.format("%-9s", what) + " " + text);
    }

    /**
     * Shows the table of campaigns.
     *
     * @param events the events in it, for people
     */
    void campaigns(ServiceClient client, String events) throws IOException, CommandFailure, InterruptedException {
        ByteArrayOutputStream csv = new ByteArrayOutputStream();
        client.csv("Campaigns", "/summaries/Campaigns.csv", Map.of(), false, csv);
        line("");
        line("  " + terminal.bold("Top campaigns") + " of " + events + ", joined by key while they arrived");
        line("");
        CampaignReport.lines(csv.toString(StandardCharsets.UTF_8), TOP).forEach(text -> line("  " + text));
        line("");
        line("  "
                + terminal.dim(
                        "Distinct users are estimates, off by about 2 % as a rule. Hardly anybody saw two ads of a"));
        line("  " + terminal.dim("campaign here, so there may even seem to be more users than impressions."));
        line("");
    }

    /** Shows the addresses of all CSVs. */
    void links(ServiceClient client, List<Listing.Entry> summaries) {
        line("  " + terminal.bold("Pull them as CSV") + " into Excel, R, pandas or PostgreSQL");
        line("");
        for (Listing.Entry summary : summaries) {
            line("    " + terminal.accent(client.resolve(summary.csv()).toString()) + "   "
                    + terminal.dim(Units.count(summary.rows()) + " rows"));
            for (Listing.Nested nested : summary.nested()) {
                line("    " + terminal.accent(client.resolve(nested.csv()).toString()));
            }
        }
        line("");
    }

    /** Begins the list of next steps. */
    void tryNext(boolean elsewhere) {
        line("  " + terminal.bold(elsewhere ? "Try next, in another terminal" : "Try next"));
        line("");
    }

    /** Shows a next step. */
    void next(String command, String why) {
        line("    " + terminal.accent(command));
        line("        " + terminal.dim(why));
    }

    /** Prints a line. */
    void line(String text) {
        terminal.out().println(text);
    }
}
