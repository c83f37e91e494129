package io.summarizer.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartitionTableTest {
    private static final List<String> LETTERS = IntStream.range(0, Partitions.COUNT)
            .mapToObj(i -> String.valueOf((char) ('a' + i)))
            .toList();

    private static PartitionTable<String> lettersInRow(int row, int rows) {
        PartitionTable<String> table = new PartitionTable<>(Partitions.ALL, rows, String[]::new);
        for (int partition = 0; partition < Partitions.COUNT; partition++) {
            table.set(row, partition, LETTERS.get(partition));
        }
        return table;
    }

    private static List<String> visited(PartitionTable<String> table) {
        List<String> visited = new ArrayList<>();
        table.forEach((row, partition, value) -> visited.add(row + " " + partition + " " + value));
        return visited;
    }

    @Test
    void shouldKeepValuesByRowAndPartition() {
        PartitionTable<String> table = lettersInRow(1, 3);
        assertThat(table.rows()).isEqualTo(3);
        assertThat(table.get(1, 2)).isEqualTo("c");
        assertThat(table.get(0, 2)).isNull();
        assertThat(table.row(1)).isEqualTo(LETTERS);
        table.set(1, 2, null);
        assertThatThrownBy(() -> table.row(1)).hasMessage("row 1 has partitions=15");
        assertThat(visited(table)).hasSize(Partitions.COUNT - 1).contains("1 1 b", "1 3 d");
    }

    @Test
    void shouldMoveRowsBetweenTables() {
        PartitionTable<String> from = lettersInRow(2, 3);
        PartitionTable<String> to = new PartitionTable<>(Partitions.ALL, 1, String[]::new);
        to.setRow(0, from, 2);
        from.clearRow(2);
        assertThat(to.row(0)).isEqualTo(LETTERS);
        assertThat(visited(from)).isEmpty();
    }

    @Test
    void shouldFindTheCellOfAHashWhereItsPartitionIs() {
        for (int partition = 0; partition < Partitions.COUNT; partition++) {
            long hash = ((long) partition << 60) + 12345;
            assertThat(Partitions.ALL.cellOf(7, hash)).isEqualTo(Partitions.ALL.cell(7, partition));
            assertThat(lettersInRow(7, 8).cells()[Partitions.ALL.cellOf(7, hash)])
                    .isEqualTo(LETTERS.get(partition));
        }
    }
}
