package io.summarizer.server.cli;

import io.summarizer.core.ledger.Account;
import io.summarizer.core.ledger.Fate;
import io.summarizer.core.ledger.LedgerCounts;
import io.summarizer.core.ledger.LedgerJson;
import io.summarizer.server.demo.TextTable;
import io.summarizer.server.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ledger}: shows the fates of all messages of a running service. */
@Command(
        name = "ledger",
        description = {
            "Shows what became of every message that the service took.",
            "Counts messages by listener, by event type, and by mapping. Each mapping counts all messages of its event type."
        })
final class LedgerCommand extends JsonCommand {
    @Mixin
    private ServiceOptions service = new ServiceOptions();

    @Override
    public Integer call() throws IOException, CommandFailure, InterruptedException {
        String answer = service.client(environment).get("/ledger");
        LedgerCounts counts = LedgerJson.read(new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));
        if (json.isGiven()) {
            JsonOption.print(Json.MAPPER.readTree(answer), terminal);
            return Exit.OK;
        }
        List<String> header = new ArrayList<>(List.of("account", "received"));
        Fate.all().stream().filter(fate -> !fate.isRejection()).forEach(fate -> header.add(fate.label()));
        header.addAll(List.of("rejected", "in flight"));
        TextTable table = new TextTable(header);
        counts.accounts().forEach(account -> table.add(row(account.name(), account)));
        counts.mappings().stream()
                .filter(mapping -> !mapping.sinceReset().equals(mapping.account()))
                .forEach(mapping -> table.add(row(mapping.name() + " since reset", mapping.sinceReset())));
        table.lines().forEach(terminal.out()::println);
        counts.accounts()
                .filter(account -> account.rejected() > 0)
                .forEach(account -> terminal.out().println(reasons(account)));
        NullLines.of(counts.nulls()).forEach(terminal.out()::println);
        return Exit.OK;
    }

    private static List<String> row(String name, Account account) {
        List<String> row = new ArrayList<>(List.of(name, Units.count(account.received())));
        Fate.all().stream()
                .filter(fate -> !fate.isRejection())
                .forEach(fate -> row.add(Units.count(account.count(fate))));
        row.addAll(List.of(Units.count(account.rejected()), Units.count(account.inFlight())));
        return row;
    }

    private static String reasons(Account account) {
        StringBuilder text = new StringBuilder(account.name()).append(": rejected");
        for (Fate fate : Fate.all()) {
            if (fate.isRejection() && account.count(fate) > 0) {
                text.append(' ').append(fate.label()).append(' ').append(Units.count(account.count(fate)));
            }
        }
        return text.toString();
    }
}
