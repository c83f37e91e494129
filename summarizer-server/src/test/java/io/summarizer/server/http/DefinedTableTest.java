package io.summarizer.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.server.json.Json;
import java.io.IOException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class DefinedTableTest {
    private static SummaryLayout layout(SummaryWindow window) {
        return new SummaryLayout(
                "Traffic",
                0,
                List.of(new KeyColumn("host", 1, KeyType.STRING), new KeyColumn("minute", 2, KeyType.TIMESTAMP)),
                List.of(new ValueColumn("n", 1, AggregateType.COUNT, 0, 0)),
                List.of(),
                SummaryLimit.DEFAULT,
                window);
    }

    private static String json(SummaryLayout layout) throws IOException {
        return Json.MAPPER.writeValueAsString(List.of(DefinedTable.of(layout, path -> 3)));
    }

    @Test
    void shouldReadTheWindowsThatItWrote() throws IOException {
        for (SummaryWindow window : List.of(
                new SummaryWindow(1, 5, CalendarUnit.MINUTE, ZoneOffset.UTC),
                new SummaryWindow(1, 12, CalendarUnit.MONTH, ZoneId.of("Europe/Berlin")))) {
            DefinedTable table = DefinedTable.read(json(layout(window))).get(0);
            assertThat(table.layout()).isEqualTo(layout(window));
            assertThat(table.hasFiles()).isFalse();
        }
    }

    @Test
    void shouldNameTheZoneWithoutAnOffset() throws IOException {
        assertThat(json(layout(new SummaryWindow(1, 5, CalendarUnit.MINUTE, ZoneOffset.UTC))))
                .containsPattern("\"zone\"\\s*:\\s*\"UTC\"");
    }

    @Test
    void shouldSayThatClosedWindowsAreInFiles() throws IOException {
        String json = json(layout(new SummaryWindow(1, 5, CalendarUnit.MINUTE, ZoneOffset.UTC)));
        assertThat(json).contains("\"closed\"");
        DefinedTable table = DefinedTable.read(json.replaceAll("\"closed\"\\s*:\\s*0", "\"closed\":2"))
                .get(0);
        assertThat(table.hasFiles()).isTrue();
    }

    @Test
    void shouldRefuseWindowsThatItDoesNotKnow() throws IOException {
        String json = json(layout(new SummaryWindow(1, 5, CalendarUnit.MINUTE, ZoneOffset.UTC)));
        for (String every : List.of("5q", "m", "")) {
            assertThatThrownBy(() -> DefinedTable.read(json.replace("5m", every)))
                    .isInstanceOf(IOException.class);
        }
    }
}
