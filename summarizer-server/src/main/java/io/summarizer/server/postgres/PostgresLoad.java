package io.summarizer.server.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * A load of rows into a table, in one transaction. Nobody else sees the rows before {@link #commit}. Without a commit,
 * the table stays unchanged. COPY writes the rows to a temporary table. One statement then inserts these rows into the
 * table, and replaces rows with the same key. So a repeated load changes nothing. Holds 64 KiB of the rows in memory.
 * Belongs to one thread.
 */
public final class PostgresLoad implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 * 1024;
    /** The temporary table. */
    private static final String ROWS = "pg_temp.summarizer_rows";

    private final PostgresAddress address;
    private final Connection connection;

    /**
     * The result of a load.
     *
     * @param table name of the table, with its schema
     * @param rows number of rows
     * @param changed number of loaded rows that were new, or that differed from the table's row with the same key
     * @param created whether the table was created
     */
    public record Loaded(String table, long rows, long changed, boolean created) {}

    private PostgresLoad(PostgresAddress address, Connection connection) {
        this.address = address;
        this.connection = connection;
    }

    /**
     * Connects, and waits until no other load of the table is in progress.
     *
     * @throws PostgresException when the database cannot be reached
     */
    public static PostgresLoad begin(PostgresAddress address, TableName table) throws PostgresException {
        try {
            Connection connection = new Driver().connect(address.url(), address.properties());
            PostgresLoad load = new PostgresLoad(address, connection);
            try {
                connection.setAutoCommit(false);
                load.lock(table);
                return load;
            } catch (SQLException e) {
                load.close();
                throw e;
            }
        } catch (SQLException e) {
            throw PostgresException.failed(address.toString(), e);
        }
    }

    /**
     * Waits until no other load of the table is in progress. Without this, two loads of the same rows could block each
     * other.
     */
    private void lock(TableName table) throws SQLException {
        try (PreparedStatement lock =
                connection.prepareStatement("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))")) {
            lock.setString(1, "summarizer export " + table.name());
            lock.execute();
        }
    }

    /**
     * Loads rows into a table, which is created if it does not exist.
     *
     * @param columns the columns of the rows, in their order
     * @param rows CSV in the profile {@code pg}, without its header; not closed
     * @throws PostgresException when the table cannot take the rows, or the database fails
     * @throws IOException when the rows cannot be read
     */
    public Loaded load(TableName name, List<PostgresColumn> columns, InputStream rows)
            throws PostgresException, IOException {
        try {
            PostgresTable table = PostgresTable.ready(connection, name, columns);
            String list = columns.stream().map(PostgresColumn::sql).collect(Collectors.joining(", "));
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TEMPORARY TABLE summarizer_rows ON COMMIT DROP AS SELECT " + list + " FROM "
                        + table.name().sql() + " WITH NO DATA");
                long copied = copy(list, rows);
                long changed = statement.executeLargeUpdate(upsert(table, list));
                statement.execute("DROP TABLE " + ROWS);
                return new Loaded(table.name().toString(), copied, changed, table.created());
            }
        } catch (SQLException e) {
            throw PostgresException.failed(address.toString(), e);
        }
    }

    private long copy(String list, InputStream rows) throws SQLException, IOException {
        CopyIn copy = connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("COPY " + ROWS + " (" + list + ") FROM STDIN (FORMAT csv)");
        try {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int read = rows.read(buffer); read >= 0; read = rows.read(buffer)) {
                copy.writeToCopy(buffer, 0, read);
            }
            return copy.endCopy();
        } catch (IOException e) {
            try {
                copy.cancelCopy();
            } catch (SQLException also) {
                e.addSuppressed(also);
            }
            throw e;
        }
    }

    /**
     * The statement that moves the rows into the table. It does not write rows that are already in the table with the
     * same values, so a repeated load writes almost nothing.
     */
    private static String upsert(PostgresTable table, String list) {
        List<PostgresColumn> values =
                table.columns().stream().filter(column -> !column.key()).toList();
        String insert = "INSERT INTO " + table.name().sql() + " AS present (" + list + ") SELECT " + list + " FROM "
                + ROWS + " ON CONFLICT (" + table.conflict() + ") DO ";
        if (values.isEmpty()) {
            return insert + "NOTHING";
        }
        return insert + "UPDATE SET "
                + values.stream()
                        .map(column -> column.sql() + " = EXCLUDED." + column.sql())
                        .collect(Collectors.joining(", "))
                + " WHERE (" + compared("present", values) + ") IS DISTINCT FROM (" + compared("EXCLUDED", values)
                + ")";
    }

    /**
     * Returns the columns in a form that can be compared. Sets are compared as texts, because the type of sets has no
     * order. The table's collation does not matter.
     */
    private static String compared(String row, List<PostgresColumn> columns) {
        return columns.stream()
                .map(column -> row + "." + column.sql()
                        + (column.isSet() || column.type() == PostgresColumn.Type.TEXT ? "::text COLLATE \"C\"" : ""))
                .collect(Collectors.joining(", "));
    }

    /** Makes the load durable and visible. */
    public void commit() throws PostgresException {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw PostgresException.failed(address.toString(), e);
        }
    }

    /** Ends the connection, and the transaction if it is not committed. */
    @Override
    public void close() throws PostgresException {
        try {
            connection.close();
        } catch (SQLException e) {
            throw PostgresException.failed(address.toString(), e);
        }
    }
}
