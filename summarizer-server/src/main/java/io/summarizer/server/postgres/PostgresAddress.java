package io.summarizer.server.postgres;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of a database: a URI with the syntax of PostgreSQL's own programs, completed by their environment
 * variables. Immutable. The password comes from the environment. If the environment has none, PostgreSQL's driver reads
 * the password from {@code PGPASSFILE} or {@code ~/.pgpass}. An address that contains a password is refused, because
 * every user of a host can read command lines.
 */
public final class PostgresAddress {
    private static final String EXAMPLE = "postgresql://USER@HOST:PORT/DATABASE";
    private static final Pattern URI =
            Pattern.compile("postgres(?:ql)?://(?:([^@/?]*)@)?([^@/?]*)(?:/([^?]*))?(?:\\?(.*))?");
    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:.%]+\\]|[^:,\\[\\]]+)(?::(\\d{1,5}))?");
    private static final String PASSWORD_VARIABLE = "PGPASSWORD";

    /**
     * Parameters of an address.
     *
     * @param name name in the query of the URI
     * @param variable environment variable with the default
     * @param property name of the driver's property; empty for a part of the driver's URL
     */
    private record Parameter(String name, String variable, String property) {}

    private static final List<Parameter> PARAMETERS = List.of(
            new Parameter("host", "PGHOST", ""),
            new Parameter("port", "PGPORT", ""),
            new Parameter("dbname", "PGDATABASE", ""),
            new Parameter("user", "PGUSER", "user"),
            new Parameter("sslmode", "PGSSLMODE", "sslmode"),
            new Parameter("sslrootcert", "PGSSLROOTCERT", "sslrootcert"),
            new Parameter("sslcert", "PGSSLCERT", "sslcert"),
            new Parameter("sslkey", "PGSSLKEY", "sslkey"),
            new Parameter("channel_binding", "PGCHANNELBINDING", "channelBinding"),
            new Parameter("connect_timeout", "PGCONNECT_TIMEOUT", "connectTimeout"),
            new Parameter("application_name", "PGAPPNAME", "ApplicationName"),
            new Parameter("options", "PGOPTIONS", "options"));

    private final Map<String, String> values;
    private final String password;

    private PostgresAddress(Map<String, String> values, String password) {
        this.values = Map.copyOf(values);
        this.password = password;
    }

    /**
     * Reads an address.
     *
     * @param environment variables, such as {@code PGHOST} and {@code PGPASSWORD}
     * @throws PostgresException when the text is no such address; the exception's message repeats only names from the
     *     text
     */
    public static PostgresAddress of(String text, Map<String, String> environment) throws PostgresException {
        Matcher uri = URI.matcher(text);
        if (!uri.matches()) {
            throw PostgresException.wrong("--to: an address has the form " + EXAMPLE
                    + ", with parts left out that PGHOST, PGPORT, PGUSER and PGDATABASE give; write special characters"
                    + " of names as %40");
        }
        Map<String, String> values = new HashMap<>();
        for (Parameter parameter : PARAMETERS) {
            put(values, parameter.name, environment.get(parameter.variable));
        }
        String user = uri.group(1);
        if (user != null && user.contains(":")) {
            throw hasPassword();
        }
        host(uri.group(2), values);
        put(values, "user", user == null ? null : decoded(user));
        put(values, "dbname", uri.group(3) == null ? null : decoded(uri.group(3)));
        if (uri.group(4) != null) {
            for (String pair : uri.group(4).split("&", -1)) {
                parameter(pair, values);
            }
        }
        values.putIfAbsent("user", System.getProperty("user.name", ""));
        values.putIfAbsent("dbname", values.get("user"));
        if (values.getOrDefault("host", "").startsWith("/")) {
            throw PostgresException.wrong("--to: " + values.get("host")
                    + " is the folder of a socket, and PostgreSQL is reached over TCP only: " + EXAMPLE);
        }
        return new PostgresAddress(values, environment.getOrDefault(PASSWORD_VARIABLE, ""));
    }

    private static PostgresException hasPassword() {
        return PostgresException.wrong(
                "--to: the address has a password, which every user of this host can read in the list"
                        + " of processes; put it into the variable " + PASSWORD_VARIABLE
                        + ", or into the file ~/.pgpass (PGPASSFILE) as HOST:PORT:DATABASE:USER:PASSWORD");
    }

    private static void parameter(String pair, Map<String, String> values) throws PostgresException {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? "" : pair.substring(0, equals);
        if (name.contains("password")) {
            throw hasPassword();
        }
        if (PARAMETERS.stream().noneMatch(parameter -> parameter.name.equals(name))) {
            throw PostgresException.wrong("--to: the parameters of an address are "
                    + PARAMETERS.stream().map(Parameter::name).collect(Collectors.joining(", "))
                    + ", as in ?sslmode=verify-full");
        }
        put(values, name, decoded(pair.substring(equals + 1)));
    }

    /** Reads {@code HOST} or {@code HOST:PORT}. */
    private static void host(String text, Map<String, String> values) throws PostgresException {
        if (text.isEmpty()) {
            return;
        }
        Matcher host = HOST.matcher(decoded(text));
        if (!host.matches()) {
            throw PostgresException.wrong("--to: after // comes HOST or HOST:PORT, as in " + EXAMPLE);
        }
        values.put("host", host.group(1));
        put(values, "port", host.group(2));
    }

    private static void put(Map<String, String> values, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            values.put(name, value);
        }
    }

    private static String decoded(String text) throws PostgresException {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw PostgresException.wrong("--to: a % in an address begins two hexadecimal digits, as in %40 for @");
        }
    }

    /** The address for the driver. */
    String url() {
        String database = URLEncoder.encode(values.getOrDefault("dbname", ""), StandardCharsets.UTF_8)
                .replace("+", "%20");
        return "jdbc:postgresql://" + place() + "/" + database;
    }

    private String place() {
        return values.getOrDefault("host", "localhost") + ":" + values.getOrDefault("port", "5432");
    }

    /** The settings for the driver, with the password if the environment has one. */
    Properties properties() {
        Properties properties = new Properties();
        properties.put("ApplicationName", "summarizer");
        properties.put("tcpKeepAlive", "true"); // a host that vanished must not hold the load for ever
        for (Parameter parameter : PARAMETERS) {
            String value = values.get(parameter.name);
            if (value != null && !parameter.property.isEmpty()) {
                properties.put(parameter.property, value);
            }
        }
        if (!password.isEmpty()) {
            properties.put("password", password);
        }
        return properties;
    }

    /** The database for messages, without a password. */
    @Override
    public String toString() {
        return "postgresql://" + place() + "/" + values.get("dbname");
    }
}
