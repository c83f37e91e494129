package io.summarizer.core.export;

import com.fasterxml.jackson.core.io.schubfach.DoubleToDecimal;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.RowCursor;
import io.summarizer.core.store.Rows;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.text.TimestampText;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers queries column by column from tables, by the simplest means: a reference for compiled writers. */
public final class TableCsvCompiler implements CsvCompiler {
    /** A column: of the key of the summary at {@code level}, a value of the last level, or a set there. */
    private record Column(
            String name,
            int level,
            int position,
            @Nullable KeyType key,
            @Nullable AggregateType value) {

        /** The value as a Long, Double, BigDecimal, Boolean, String or timestamp text; null for none. */
        @Nullable
        Object read(RowCursor[] rows) {
            RowCursor row = rows[level];
            if (key != null) {
                if (row.isKeyNull(position)) {
                    return null;
                }
                if (key == KeyType.STRING) {
                    row.readKeyText(position);
                    return text(row);
                }
                long bits = row.keyLong(position);
                return switch (key) {
                    case UINT64 -> new BigDecimal(Long.toUnsignedString(bits));
                    case BOOL -> bits != 0;
                    case TIMESTAMP -> new Timestamp(bits);
                    default -> bits;
                };
            }
            if (row.isEmpty(position)) {
                return null;
            }
            if (value == null) {
                row.readHll(position);
                return text(row);
            }
            return switch (value) {
                case SUMINT32, SUMINT64 -> Rows.sum(row, position);
                case SUMCURRENCY -> new Currency(new BigDecimal(Rows.sum(row, position), 6));
                case SUMFLOAT, SUMDOUBLE, MINDOUBLE, MAXDOUBLE -> row.doubleValue(position);
                case MINTIMESTAMP, MAXTIMESTAMP -> new Timestamp(row.longValue(position));
                case FIRSTSTRING, LASTSTRING -> {
                    row.readText(position);
                    yield text(row);
                }
                default -> row.longValue(position);
            };
        }

        private static String text(RowCursor row) {
            return new String(row.text(), row.textOffset(), row.textLength(), StandardCharsets.UTF_8);
        }
    }

    private record Timestamp(long micros) {
        String text(CsvProfile profile) {
            String text = TimestampText.toString(micros);
            if (profile != CsvProfile.PG) {
                return text;
            }
            if (text.startsWith("+")) {
                return text.substring(1).replace('T', ' ');
            }
            boolean beforeChrist = text.startsWith("-") || text.startsWith("0000");
            if (!beforeChrist) {
                return text;
            }
            int end = text.indexOf('-', 1);
            int year = 1 - Integer.parseInt(text.substring(0, end));
            return String.format("%04d", year) + text.substring(end).replace('T', ' ') + " BC";
        }
    }

    private record Currency(BigDecimal amount) {}

    @Override
    public boolean isKept(SummaryLayout layout, List<Integer> path, CsvQuery query) {
        return true;
    }

    @Override
    public CsvProgram compile(SummaryLayout layout, List<Integer> path, CsvQuery query) {
        List<Column> all = new ArrayList<>();
        SummaryLayout at = layout;
        for (int level = 0; ; level++) {
            for (int i = 0; i < at.keys().size(); i++) {
                KeyColumn key = at.keys().get(i);
                all.add(new Column(key.name(), level, i, key.type(), null));
            }
            if (level == path.size()) {
                for (int i = 0; i < at.values().size(); i++) {
                    ValueColumn value = at.values().get(i);
                    all.add(new Column(value.name(), level, i, null, value.type()));
                }
                break;
            }
            at = at.nested().get(path.get(level));
        }
        List<Column> columns = query.columns().isEmpty()
                ? all
                : query.columns().stream().map(name -> column(all, name)).toList();
        columns = expand(columns, query.distinct());
        List<Column> written = columns;
        List<Column> order =
                query.orderBy().stream().map(by -> column(all, by.column())).toList();
        if (!query.where().isEmpty()) {
            throw new UnsupportedOperationException("a condition");
        }
        return new CsvProgram(written.stream().map(Column::name).toList(), () -> new Writer(written, order, query));
    }

    private static List<Column> expand(List<Column> columns, Distinct distinct) {
        List<Column> expanded = new ArrayList<>();
        for (Column column : columns) {
            if (column.value() != AggregateType.MULTISET64 || distinct != Distinct.HLL) {
                expanded.add(column);
            }
            if (column.value() == AggregateType.MULTISET64 && distinct != Distinct.ESTIMATE) {
                String name = distinct == Distinct.HLL ? column.name() : column.name() + "_hll";
                expanded.add(new Column(name, column.level(), column.position(), null, null));
            }
        }
        return expanded;
    }

    private static Column column(List<Column> columns, String name) {
        return columns.stream()
                .filter(column -> column.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static final class Writer extends CsvRowWriter {
        private final List<Column> columns;
        private final List<Column> order;
        private final CsvQuery query;

        Writer(List<Column> columns, List<Column> order, CsvQuery query) {
            this.columns = columns;
            this.order = order;
            this.query = query;
        }

        @Override
        public void sortKey(RowCursor[] rows, SortKey key) {
            for (int i = 0; i < order.size(); i++) {
                boolean descending = query.orderBy().get(i).descending();
                Object value = order.get(i).read(rows);
                if (value == null) {
                    key.putNull();
                } else if (value instanceof Long number) {
                    key.putLong(number, descending);
                } else if (value instanceof BigDecimal number) {
                    key.putUnsignedLong(number.toBigInteger().longValue(), descending);
                } else if (value instanceof BigInteger sum) {
                    key.putSum(sum.longValue(), sum.shiftRight(64).longValue(), descending);
                } else if (value instanceof Currency currency) {
                    BigInteger sum = currency.amount().unscaledValue();
                    key.putSum(sum.longValue(), sum.shiftRight(64).longValue(), descending);
                } else if (value instanceof Boolean truth) {
                    key.putLong(truth ? 1 : 0, descending);
                } else if (value instanceof Timestamp timestamp) {
                    key.putLong(timestamp.micros(), descending);
                } else if (value instanceof Double number) {
                    key.putDouble(number, descending);
                } else {
                    byte[] utf8 = ((String) value).getBytes(StandardCharsets.UTF_8);
                    key.putText(utf8, 0, utf8.length, descending);
                }
            }
        }

        @Override
        public void write(RowCursor[] rows, CsvBuffer out) throws IOException {
            if (query.format() == ExportFormat.NDJSON) {
                out.putBytes(object(rows).getBytes(StandardCharsets.UTF_8));
                return;
            }
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns.size(); i++) {
                line.append(i == 0 ? "" : ",");
                Object value = columns.get(i).read(rows);
                if (value != null) {
                    line.append(field(value));
                }
            }
            if (columns.size() == 1 && line.isEmpty() && query.profile() != CsvProfile.PG) {
                line.append("\"\"");
            }
            line.append(query.profile() == CsvProfile.EXCEL ? "\r\n" : "\n");
            out.putBytes(line.toString().getBytes(StandardCharsets.UTF_8));
        }

        private String object(RowCursor[] rows) {
            List<String> members = new ArrayList<>();
            for (Column column : columns) {
                Object value = column.read(rows);
                boolean quoted = value instanceof String || value instanceof Timestamp;
                String text = value instanceof String string ? string : value == null ? "null" : field(value);
                members.add(quote(column.name()) + ":" + (quoted ? quote(text) : text));
            }
            return "{" + String.join(",", members) + "}\n";
        }

        private static String quote(String text) {
            StringBuilder json = new StringBuilder("\"");
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c < ' ') {
                    json.append(String.format("\\u%04x", (int) c));
                } else {
                    json.append(c == '"' || c == '\\' ? "\\" : "").append(c);
                }
            }
            return json.append('"').toString();
        }

        private String field(Object value) {
            if (value instanceof Currency currency) {
                return currency.amount().toPlainString();
            }
            if (value instanceof Double number) {
                return DoubleToDecimal.toString(number);
            }
            if (value instanceof Timestamp timestamp) {
                return timestamp.text(query.profile());
            }
            if (value instanceof String text) {
                return text(text);
            }
            String digits = value.toString();
            boolean beyond = query.profile() == CsvProfile.EXCEL
                    && digits.replace("-", "").length() > 15;
            return beyond && !(value instanceof Boolean) ? "\"=\"\"" + digits + "\"\"\"" : digits;
        }

        private String text(String text) {
            String safe = text;
            if (query.profile() == CsvProfile.EXCEL && !text.isEmpty() && "=+-@\t\r\n".indexOf(text.charAt(0)) >= 0) {
                safe = "'" + text;
            }
            boolean nul = query.profile() == CsvProfile.PG && text.indexOf(0) >= 0;
            if (nul) {
                safe = text.replace('\0', '\uFFFD');
            }
            boolean quoted = nul || text.isEmpty() || text.equals("\\.") || text.matches("(?s).*[\",\n\r].*");
            return quoted ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
        }
    }
}
