package io.summarizer.server.postgres;

import java.sql.SQLException;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Thrown for a load that is refused or failed. The table is as it was before; the message tells the user a remedy. */
public final class PostgresException extends Exception {
    private static final long serialVersionUID = 1;

    /** Class of the SQL states for a failed authentication. */
    private static final String AUTHENTICATION = "28";

    private static final String REJECTED = "08004";
    private static final String TWICE = "21000";
    private static final String OUT_OF_RANGE = "22003";

    private final Reason reason;
    private final String message;
    private final String statements;

    /** The kind of refusal. */
    public enum Reason {
        /** The address, the name of the table, or the choice of columns is wrong. */
        WRONG,
        /** The table cannot hold the rows. */
        MISFIT,
        /** The database does not answer, or refused a statement. */
        FAILED
    }

    private PostgresException(Reason reason, String statements, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
        this.statements = statements;
        this.message = message;
    }

    /** The refusal of a wrong option. */
    static PostgresException wrong(String message) {
        return new PostgresException(Reason.WRONG, "", message, null);
    }

    /**
     * Makes the exception for a table that cannot take the rows, with {@code statements} that would make the table fit.
     */
    static PostgresException misfit(String message, String statements) {
        return new PostgresException(Reason.MISFIT, statements, message, null);
    }

    /** A failure without an answer of the database. */
    static PostgresException failed(String message) {
        return new PostgresException(Reason.FAILED, "", message, null);
    }

    /** A failure that the driver reports. */
    static PostgresException failed(String where, SQLException e) {
        String state = e.getSQLState() == null ? "" : e.getSQLState();
        String advice = "";
        if (state.startsWith(AUTHENTICATION) || state.equals(REJECTED)) {
            advice = "; the password is that of the variable PGPASSWORD, else of the file PGPASSFILE or ~/.pgpass";
        } else if (state.equals(TWICE)) {
            advice = "; two rows have keys that PostgreSQL takes for equal: texts that differ only by a NUL, which"
                    + " PostgreSQL cannot hold";
        } else if (state.equals(OUT_OF_RANGE)) {
            advice = "; a column of the type numeric holds it";
        }
        return new PostgresException(Reason.FAILED, "", where + ": " + said(e) + advice, e);
    }

    /** The message of the database; the driver's message when the database sent none. */
    private static String said(SQLException e) {
        ServerErrorMessage server = e instanceof PSQLException own ? own.getServerErrorMessage() : null;
        return server == null
                ? String.valueOf(e.getMessage())
                : Stream.of(server.getMessage(), server.getDetail(), server.getHint(), server.getWhere())
                        .filter(Objects::nonNull)
                        .map(part -> part.strip().replaceAll("\\R", " "))
                        .collect(Collectors.joining("; "));
    }

    @Override
    public String getMessage() {
        return message; // never null, which Throwable does not promise
    }

    /** The kind of refusal. */
    public Reason reason() {
        return reason;
    }

    /** SQL statements that help, one in a line; empty when there are none. */
    public String statements() {
        return statements;
    }
}
