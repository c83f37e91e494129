package io.summarizer.server.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.ledger.LedgerJson;
import io.summarizer.server.access.Role;
import io.summarizer.server.explain.TopicExplainer;
import io.summarizer.server.explain.TopicReport;
import io.summarizer.server.http.CutCache.Use;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.stream.Collectors;

/**
 * The table of all resources over HTTP. A new resource is a new row here. Handlers of more than a few lines are classes
 * of their own. Thread-safe.
 */
final class Router {
    static final String CUT = "cut";
    static final String KEEP = "keep";
    private static final String TOPIC = "topic";
    /**
     * The parameter that selects metrics by name. Other programs that Prometheus scrapes use the same name for this
     * parameter.
     */
    private static final String NAMES = "name[]";

    private static final String PAGE = "text/html; charset=utf-8";
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
    private static final Resource.Change RESET = new Resource.Change("empty summaries", "bin/summarizer reset");
    private static final Resource.Change CLOSE =
            new Resource.Change("close time windows", "bin/summarizer windows close");
    private static final Resource.Change PUT =
            new Resource.Change("put time windows", "bin/summarizer windows put", true);
    private static final Resource.Change READ_ANEW =
            new Resource.Change("read definitions anew", "bin/summarizer reload");

    private final HttpListener listener;
    private final List<Resource> resources;
    private final String help;

    /** A resource, and the parts of the request's path that stand for {@code NAME} and {@code FIELD}, not decoded. */
    record Match(Resource resource, List<String> variables) {}

    Router(HttpListener listener) {
        this.listener = listener;
        SummariesHandler summaries = new SummariesHandler(listener);
        CsvHandler rows = new CsvHandler(listener);
        WindowsHandler windows = new WindowsHandler(listener);
        StateHandler state = new StateHandler(listener);
        DefinitionsHandler definitions = new DefinitionsHandler(listener);
        List<String> query = new ArrayList<>(List.of(CUT));
        query.addAll(CsvQuery.PARAMETERS);
        resources = List.of(
                Resource.get("/", Role.READ, "the web page", Router.this::page),
                Resource.get(
                                Listing.SUMMARIES,
                                Role.READ,
                                "the list of summaries, as JSON (?keep=no: of a cut that is not kept)",
                                summaries::list)
                        .with(List.of(CUT, KEEP)),
                Resource.get("/summaries/NAME.csv", Role.READ, "a summary's rows", rows)
                        .with(query),
                Resource.get(
                                "/summaries/NAME/FIELD.csv",
                                Role.READ,
                                "the rows of a nested summary (NAME/F/G.csv, deeper)\n    ?columns=a,b  ?where=a > 1"
                                        + "  ?order_by=a desc,b  ?limit=10  ?profile=excel|pg  ?distinct=hll|both"
                                        + "\n    ?by=a,b (groups)  ?every=1h  ?having=n > 1  ?format=ndjson"
                                        + "\n    ?from=T  ?until=T  ?closed=only|no (time windows)",
                                rows)
                        .with(query),
                Resource.post("/summaries/NAME/reset", RESET, "empties a summary (POST)", summaries::reset),
                Resource.get("/summaries/NAME/windows", Role.READ, "a summary's time windows, as JSON", windows::list)
                        .with(List.of(CUT)),
                Resource.post(
                                "/summaries/NAME/windows",
                                PUT,
                                "replaces or adds a closed time window (POST of a state file)",
                                windows::put)
                        .with(List.of(WindowsHandler.OVERWRITE)),
                Resource.post(
                                "/summaries/NAME/windows/close",
                                CLOSE,
                                "closes time windows now (POST; ?before=T)",
                                windows::close)
                        .with(List.of(WindowsHandler.BEFORE)),
                Resource.get("/resets", Role.READ, "the cuts of resets that are kept, as JSON", summaries::resets),
                Resource.get("/ledger", Role.READ, "what became of every message, as JSON", Router::ledger)
                        .with(List.of(CUT)),
                Resource.get("/state", Role.ADMIN, "all summaries, as a state file", state)
                        .with(List.of(CUT)),
                Resource.get(
                                "/topics",
                                Role.READ,
                                "the event type and the mappings that take messages of topic T (?topic=T; also as JSON)",
                                Router.this::topics)
                        .withAny(TOPIC),
                Resource.get("/definitions", Role.READ, "how summaries are defined, as JSON", definitions::tables)
                        .with(List.of(CUT)),
                Resource.get(
                        "/definitions/files",
                        Role.READ,
                        "the definitions that are in force, as JSON",
                        definitions::files),
                Resource.post(
                        "/definitions/plan",
                        READ_ANEW,
                        "the changes that a reload of the definitions would make (POST)",
                        definitions::plan),
                Resource.post(
                        "/definitions/reload", READ_ANEW, "reads the definitions anew (POST)", definitions::reload),
                Resource.get(
                                "/metrics",
                                Role.READ,
                                "Prometheus metrics (?name[]=M: of this name)",
                                Router.this::metrics)
                        .withAny(NAMES),
                Resource.get("/healthz", null, "health of the process", exchange -> exchange.text("ok\n")),
                Resource.get("/readyz", null, "readiness for traffic", Router.this::ready),
                Resource.get("/summaries/FIELD", Role.READ, "", summaries::nothing)
                        .with(query),
                Resource.get("FIELD", Role.READ, "", exchange -> exchange.nothing("")));
        help = resources.stream()
                .filter(resource -> !resource.isNothing())
                .map(resource -> String.format(Locale.ROOT, "%-30s%s\n", resource.path(), resource.help()))
                .collect(Collectors.joining());
    }

    /**
     * Returns the first resource of the table that takes a path. When two resources take the same path, the HTTP method
     * of the request decides. There is always a result, because the last resource takes all paths.
     */
    Match match(String path, HttpMethod method) {
        Match first = null;
        for (Resource resource : resources) {
            Matcher matcher = resource.matcher(path);
            boolean isRival = first == null || resource.path().equals(first.resource.path());
            if (isRival && matcher.matches()) {
                List<String> variables = new ArrayList<>();
                for (int i = 1; i <= matcher.groupCount(); i++) {
                    variables.add(matcher.group(i));
                }
                Match found = new Match(resource, variables);
                if (resource.isOf(method)) {
                    return found;
                }
                first = first == null ? found : first;
            }
        }
        return first != null
                ? first
                : new Match(resources.get(resources.size() - 1), List.of(path)); // a path with a line feed, or no path
    }

    /** Whether a request has a body that its handler reads as it comes. */
    boolean takesBody(HttpRequest request) {
        Resource.Change change = match(Filters.address(request.uri()).rawPath(), request.method())
                .resource()
                .change();
        return change != null && change.takesBody() && request.method().equals(HttpMethod.POST);
    }

    /** The methods of the resources with this path, as in {@code Allow}. */
    String methods(String path) {
        return resources.stream()
                .filter(resource -> resource.path().equals(path))
                .map(resource -> resource.change() == null ? "GET, HEAD" : "POST")
                .collect(Collectors.joining(", "));
    }

    /** The table. */
    List<Resource> resources() {
        return resources;
    }

    /** The table, for people. */
    String help() {
        return help;
    }

    private void page(Exchange exchange) {
        Page page = listener.served().page();
        String host = exchange.header(HttpHeaderNames.HOST);
        exchange.withCut(null, Use.GLANCE, cut -> {
            var response = Exchange.response(HttpResponseStatus.OK, PAGE, page.render(cut, host));
            response.headers().set(HttpHeaderNames.CONTENT_SECURITY_POLICY, page.contentSecurityPolicy());
            exchange.send(response);
        });
    }

    private static void ledger(Exchange exchange) throws BadRequestException {
        exchange.withCut(exchange.cut(), Use.LIST, cut -> exchange.jsonOfCut(LedgerJson.of(cut), cut));
    }

    private void topics(Exchange exchange) throws BadRequestException {
        List<String> asked = exchange.options(TOPIC);
        if (asked.isEmpty()) {
            throw new BadRequestException("name one topic or several: /topics?topic=ad.click.us&topic=ad.click.de");
        }
        TopicExplainer topics = listener.topics();
        if (topics == null) {
            exchange.notReady();
            return;
        }
        List<TopicReport> reports = asked.stream().map(topics::report).toList();
        if (exchange.header(HttpHeaderNames.ACCEPT).contains(Exchange.JSON)) {
            exchange.json(reports);
        } else {
            exchange.text(reports.stream().map(TopicReport::text).collect(Collectors.joining()));
        }
    }

    private void metrics(Exchange exchange) {
        String text = listener.served().metrics().scrape(new HashSet<>(exchange.options(NAMES)));
        exchange.send(Exchange.response(HttpResponseStatus.OK, PROMETHEUS, Exchange.utf8(text)));
    }

    private void ready(Exchange exchange) {
        Optional<String> notReady = listener.notReady();
        if (notReady.isEmpty()) {
            exchange.text("ready\n" + listener.remarks());
        } else {
            exchange.text(HttpResponseStatus.SERVICE_UNAVAILABLE, "not ready: " + notReady.get() + "\n");
        }
    }
}
