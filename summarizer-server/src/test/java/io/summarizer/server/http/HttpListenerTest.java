package io.summarizer.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.luben.zstd.ZstdInputStream;
import io.summarizer.core.LogLines;
import io.summarizer.core.export.CsvExporter;
import io.summarizer.core.export.CsvQuery;
import io.summarizer.core.export.CsvQueryException;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.route.TopicPattern;
import io.summarizer.core.snapshot.ChunkedBytes;
import io.summarizer.core.snapshot.CutLease;
import io.summarizer.core.snapshot.CutMemory;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryView;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.server.Await;
import io.summarizer.server.explain.TopicExplainer;
import io.summarizer.server.metrics.ServerMetrics;
import io.summarizer.server.net.ConnectionLimits;
import io.summarizer.server.net.NettyWorkers;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import java.util.logging.LogRecord;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpListenerTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final CsvQueryCompiler QUERIES = CsvQueryCompiler.of(List.of());
    private static final CsvWriter REAL =
            (summary, fields, query) -> HttpListener.rows(CsvExporter.of(summary, fields, query, QUERIES));

    private final AtomicLong cuts = new AtomicLong();
    private final AtomicLong skippedNanos = new AtomicLong();
    private Duration queryTimeout = LONG;
    private long groupBytes = 64 << 20;
    private final AtomicReference<Optional<String>> notReady = new AtomicReference<>(Optional.empty());
    private final AtomicReference<DefinitionsControl.Answer> reloaded =
            new AtomicReference<>(new DefinitionsControl.Answer(DefinitionsControl.Outcome.DONE, "all is well"));
    private final AtomicLong reloads = new AtomicLong();
    private final DefinitionsControl definitions = new DefinitionsControl() {
        @Override
        public CompletableFuture<Answer> reload() {
            reloads.incrementAndGet();
            return CompletableFuture.completedFuture(reloaded.get());
        }

        @Override
        public CompletableFuture<Answer> plan() {
            return CompletableFuture.completedFuture(reloaded.get());
        }
    };
    private final List<AutoCloseable> opened = new ArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @AfterEach
    void closeAll() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private HttpListener start() throws IOException {
        return start(REAL, LONG, LONG, LONG);
    }

    private HttpListener start(CsvWriter csv, Duration stall, Duration idle, Duration keep) throws IOException {
        return start(csv, stall, idle, keep, id -> Cuts.of(id, "Campaign Details", 3));
    }

    private HttpListener start(CsvWriter csv, Duration stall, Duration idle, Duration keep, LongFunction<Cut> source)
            throws IOException {
        return start(csv, stall, idle, keep, () -> source.apply(cuts.incrementAndGet()));
    }

    private HttpListener start(CsvWriter csv, Duration stall, Duration idle, Duration keep, CutSource source)
            throws IOException {
        HttpListener listener = starting(stall, idle, keep);
        ServerMetrics metrics = new ServerMetrics(Cuts.COUNTS);
        opened.add(metrics);
        listener.serve(source, metrics, definitions, csv);
        return listener;
    }

    /** Starts a listener that has nothing to serve yet. */
    private HttpListener starting(Duration stall, Duration idle, Duration keep) throws IOException {
        NettyWorkers workers = new NettyWorkers("test-http", 1);
        opened.add(workers);
        HttpSettings settings = HttpSettings.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .with(
                        new ConnectionLimits(8, 4, idle, idle),
                        new HttpSettings.Limits(2, 6, queryTimeout, stall, keep, 4, groupBytes));
        HttpListener listener =
                new HttpListener(settings, workers, notReady::get, () -> System.nanoTime() + skippedNanos.get());
        listener.start();
        opened.add(listener);
        return listener;
    }

    private HttpResponse<String> request(HttpListener listener, String method, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + listener.address().getPort() + path);
        return client.send(
                HttpRequest.newBuilder(uri)
                        .timeout(Duration.ofSeconds(30))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> get(HttpListener listener, String path) throws Exception {
        return request(listener, "GET", path);
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    private Socket raw(HttpListener listener, String text) throws IOException {
        return rawFrom("127.0.0.1", listener, text);
    }

    private Socket rawFrom(String address, HttpListener listener, String text) throws IOException {
        Socket socket = new Socket();
        opened.add(socket);
        socket.bind(new InetSocketAddress(address, 0));
        socket.connect(listener.address());
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write(text.getBytes(US_ASCII));
        return socket;
    }

    private static String readAll(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void tooManyGroupsAreA413() throws Exception {
        groupBytes = 2;
        HttpListener listener = starting(LONG, LONG, LONG);
        ServerMetrics metrics = new ServerMetrics(Cuts.COUNTS);
        opened.add(metrics);
        listener.serve(() -> Cuts.of(1, "Campaign Details", 3), CsvQueryCompiler.of(List.of()), metrics, definitions);
        HttpResponse<String> response = get(listener, "/summaries/Campaign%20Details.csv?by=campaign");
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(response.body()).startsWith("keeping so many groups takes more than 0 MiB; group by fewer columns");
    }

    @Test
    void aClientThatGoesAwayWithinItsBodyIsALineWithoutAStackTrace() throws Exception {
        try (LogLines log = LogLines.of(HttpListener.class)) {
            List<LogRecord> logged = log.records();
            HttpListener listener = start();
            String host = "127.0.0.1:" + listener.address().getPort();
            raw(listener, "POST /definitions/reload HTTP/1.1\r\nHost: " + host + "\r\nContent-Length: 100\r\n\r\nabc")
                    .close();
            Await.until(logged::toString, () -> !logged.isEmpty());
            assertThat(logged).hasSize(1).allSatisfy(record -> {
                assertThat(record.getMessage()).startsWith("an HTTP client went away within a request: /127.0.0.1:");
                assertThat(record.getThrown()).isNull();
            });
        }
    }

    @Test
    void tooManyRequestsAheadOfTheirAnswersAreALineWithoutAStackTrace() throws Exception {
        try (LogLines log = LogLines.of(HttpListener.class)) {
            List<LogRecord> logged = log.records();
            HttpListener listener = start();
            String host = "127.0.0.1:" + listener.address().getPort();
            String request = "GET /summaries/Campaign%20Details.csv HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
            try (Socket socket = raw(listener, request.repeat(500))) {
                Await.until(logged::toString, () -> !logged.isEmpty());
                assertThat(logged.get(0).getMessage())
                        .startsWith("an HTTP client sent more than 128 requests ahead of their answers: /127.0.0.1:");
                socket.setSoTimeout(20_000);
                assertThat(ends(socket)).isTrue();
                assertThat(logged)
                        .allSatisfy(record -> assertThat(record.getThrown()).isNull());
            }
        }
    }

    private static boolean ends(Socket socket) throws IOException {
        try {
            socket.getInputStream().readAllBytes();
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException e) {
            return true; // reset, because the service did not read all requests
        }
    }

    @Test
    void tellsWhatBecomesOfTopics() throws Exception {
        HttpListener listener = start();
        listener.topics(new TopicExplainer(List.of(), List.of()));
        assertThat(get(listener, "/topics?topic=a.b").body()).isEqualTo("a.b\t-\tno event type takes it\n");
        Plan.Mapping all = new Plan.Mapping("Click->Campaigns", 0, List.of());
        Plan.Mapping some = new Plan.Mapping("Click->Campaigns#2", 0, List.of(TopicPattern.of("*.us")));
        SummaryLayout summary = new SummaryLayout("Campaigns", 0, List.of(), List.of(), List.of());
        listener.topics(new TopicExplainer(
                List.of(new Plan.Event("Click", List.of(TopicPattern.of("click.#")), "csv", List.of(all, some))),
                List.of(summary)));
        HttpResponse<String> response = get(listener, "/topics?topic=click.us&topic=clik.us");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(header(response, "Content-Type")).startsWith("text/plain");
        assertThat(response.body()).isEqualTo("""
                click.us\tClick\tcsv
                  matches  click.# of Click
                  applies  Click->Campaigns
                  applies  Click->Campaigns#2 on *.us
                clik.us\t-\tno event type takes it
                  near     click.# of Click: word 1 is "clik", not "click"
                """);
        HttpResponse<String> json = client.send(
                HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + listener.address().getPort() + "/topics?topic=click&topic=x"))
                        .header("Accept", "application/json")
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(header(json, "Content-Type")).isEqualTo("application/json");
        assertThat(new ObjectMapper().readTree(json.body())).isEqualTo(new ObjectMapper().readTree("""
                [{"topic":"click","event":"Click","format":"csv","patterns":["click.#"],"mappings":[
                   {"name":"Click->Campaigns","summary":"Campaigns","pattern":null,"applies":true,"why":null},
                   {"name":"Click->Campaigns#2","summary":"Campaigns","pattern":"*.us","applies":false,
                    "why":"ends where the pattern goes on with \\"us\\""}],"nearest":[]},
                 {"topic":"x","event":null,"format":null,"patterns":[],"mappings":[],"nearest":[
                   {"pattern":"click.#","event":"Click","why":"word 1 is \\"x\\", not \\"click\\""}]}]
                """));
        assertThat(get(listener, "/topics").statusCode()).isEqualTo(400);
        assertThat(get(listener, "/topics?topik=x").body()).contains("did you mean 'topic'?");
    }

    @Test
    void theListNamesSummariesWithTheirRowsUpdatesAndNestedOnes() throws Exception {
        HttpResponse<String> response = get(start(), "/summaries");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(header(response, "Content-Type")).isEqualTo("application/json");
        assertThat(header(response, "X-Summarizer-Cut")).isEqualTo("1");
        assertThat(new ObjectMapper().readTree(response.body())).isEqualTo(new ObjectMapper().readTree("""
                [{"name":"Campaign Details","rows":3,"updates":6,"csv":"/summaries/Campaign%20Details.csv","nested":[
                  {"path":"interactions","rows":3,"csv":"/summaries/Campaign%20Details/interactions.csv"},
                  {"path":"interactions/steps","rows":3,"csv":"/summaries/Campaign%20Details/interactions/steps.csv"}]}]
                """));
    }

    @Test
    void aListThatKeepsNoCutNamesNone() throws Exception {
        HttpListener listener = start();
        HttpResponse<String> response = get(listener, "/summaries?keep=no");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("\"updates\":6");
        assertThat(response.headers().firstValue("X-Summarizer-Cut")).isEmpty();
        assertThat(get(listener, "/metrics?name[]=summarizer_cuts_kept").body()).contains("summarizer_cuts_kept 0.0");
        assertThat(get(listener, "/summaries?keep=maybe").statusCode()).isEqualTo(400);
    }

    @Test
    void aSummaryIsCsvInChunksWithItsCut() throws Exception {
        HttpResponse<String> response = get(start(), "/summaries/Campaign%20Details.csv");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("campaign,total_0\n0,0\n1,10\n2,20\n");
        assertThat(header(response, "Content-Type")).isEqualTo("text/csv; charset=utf-8; header=present");
        assertThat(header(response, "Transfer-Encoding")).isEqualTo("chunked");
        assertThat(header(response, "X-Summarizer-Cut")).isEqualTo("1");
        assertThat(header(response, "Content-Disposition"))
                .isEqualTo("attachment; filename=\"Campaign_Details.csv\"; filename*=UTF-8''Campaign%20Details.csv");
    }

    @Test
    void aSummaryIsNdjsonForThoseWhoAskForIt() throws Exception {
        HttpListener listener = start();
        HttpResponse<String> csv = get(listener, "/summaries/Campaign%20Details/interactions.csv");
        HttpResponse<String> response =
                get(listener, "/summaries/Campaign%20Details/interactions.csv?cut=1&format=ndjson");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(header(response, "Content-Type")).isEqualTo("application/x-ndjson; charset=utf-8");
        assertThat(header(response, "Content-Disposition"))
                .contains("filename=\"Campaign_Details.interactions.ndjson\"");
        assertThat(header(response, "X-Summarizer-Cut")).isEqualTo("1");
        assertThat(header(response, "ETag")).isNotEqualTo(header(csv, "ETag"));
        assertThat(response.body()).isEqualTo("""
                {"campaign":0,"action_id":7,"total_2":70}
                {"campaign":1,"action_id":7,"total_2":70}
                {"campaign":2,"action_id":7,"total_2":70}
                """);
    }

    @ParameterizedTest
    @CsvSource({
        "/interactions.csv, 'campaign,action_id,total_2|0,7,70|1,7,70|2,7,70|'",
        "/interactions/steps.csv, 'campaign,action_id,step,done|0,7,8,80|1,7,8,80|2,7,8,80|'"
    })
    void nestedSummariesHaveTheirOwnAddresses(String path, String expected) throws Exception {
        HttpResponse<String> response = get(start(), "/summaries/Campaign%20Details" + path);
        assertThat(response.body()).isEqualTo(expected.replace('|', '\n'));
        assertThat(header(response, "Content-Disposition"))
                .contains(path.substring(1).replace('/', '.'));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/summaries", "/summaries/Campaign%20Details.csv", "/metrics", "/healthz", "/nothing"})
    void headAnswersLikeGetWithoutABody(String path) throws Exception {
        HttpListener listener = start();
        HttpResponse<String> head = request(listener, "HEAD", path);
        HttpResponse<String> get = get(listener, path);
        assertThat(head.body()).isEmpty();
        assertThat(head.statusCode()).isEqualTo(get.statusCode());
        assertThat(header(head, "Content-Type")).isEqualTo(header(get, "Content-Type"));
        assertThat(get.body()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "/nothing, /summaries/NAME.csv",
        "/summary/Nope.csv?limit=1&limit=2, /summaries/NAME.csv",
        "/summaries/Nope.csv, /summaries/Campaign%20Details.csv",
        "/summaries/Campaign%20Details/nope.csv, /summaries/Campaign%20Details/interactions.csv",
        "/summaries/Campaign%20Details, did you mean /summaries/Campaign%20Details.csv",
        "/summaries/Nope.json, /summaries lists what there is",
        "/summaries//x.csv, /summaries/NAME.csv"
    })
    void whatIsNotThereIsA404ThatSaysWhatIs(String path, String hint) throws Exception {
        HttpResponse<String> response = get(start(), path);
        assertThat(response.statusCode()).isEqualTo(404);
        assertThat(response.body()).contains(hint);
    }

    @ParameterizedTest
    @CsvSource({
        "/summaries/Campaign%20Details.json, /summaries/Campaign%20Details.csv",
        "/summaries/Campaign%20Details.csv.gz, /summaries/Campaign%20Details.csv",
        "/summaries/Campaign%20Details.interactions, /summaries/Campaign%20Details/interactions.csv",
        "/summaries/Campaign%20Details/interactions.json, /summaries/Campaign%20Details/interactions.csv"
    })
    void theAdviceOfA404LeadsToATable(String path, String table) throws Exception {
        HttpListener listener = start();
        HttpResponse<String> missed = get(listener, path);
        assertThat(missed.statusCode()).isEqualTo(404);
        assertThat(missed.body()).contains("did you mean " + table + " ?\n");
        assertThat(get(listener, table).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/summaries?rows=1", "/metrics?cut=1", "/summaries?cut=abc", "/summaries/%zz.csv"})
    void whatMakesNoSenseIsA400(String path) throws Exception {
        HttpListener listener = start();
        String answer =
                readAll(raw(listener, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
        assertThat(answer).startsWith("HTTP/1.1 400 ");
        assertThat(cuts).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "OPTIONS"})
    void otherMethodsAreRefused(String method) throws Exception {
        HttpResponse<String> response = request(start(), method, "/summaries");
        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(header(response, "Allow")).isEqualTo("GET, HEAD");
        assertThat(response.body()).contains("allowed: GET, HEAD");
    }

    @Test
    void aCutCanBeReadAgain() throws Exception {
        HttpListener listener =
                start(REAL, LONG, LONG, LONG, id -> Cuts.of(id, "S", (int) id)); // each cut has one more row
        assertThat(get(listener, "/summaries/S.csv").body().lines()).hasSize(2);
        assertThat(get(listener, "/summaries/S.csv").body().lines()).hasSize(3);
        HttpResponse<String> again = get(listener, "/summaries/S/interactions.csv?cut=1");
        assertThat(again.body().lines()).hasSize(2);
        assertThat(header(again, "X-Summarizer-Cut")).isEqualTo("1");
        assertThat(get(listener, "/summaries?cut=1").body()).contains("\"rows\":1");
        assertThat(cuts).hasValue(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "columns=total_0,campaign; total_0,campaign|0,0|10,1|20,2|",
                "order_by=campaign%20desc&limit=2; campaign,total_0|2,20|1,10|",
                "limit=0; campaign,total_0|",
                "where=total_0%20%3E%3D%2010%20and%20campaign%20!%3D%202; campaign,total_0|1,10|",
                "columns=campaign&limit=99999999999; campaign|0|1|2|",
                "by=; total_0|30|",
                "by=&where=campaign%20%3E%209; total_0|0|",
                "by=campaign&having=total_0%20%3E%2010; campaign,total_0|2,20|",
                "by=campaign&where=total_0%20%3E%200&order_by=total_0%20desc&columns=total_0; total_0|20|10|",
                "format=ndjson&by=; {\"total_0\":30}|",
                "format=csv&limit=1; campaign,total_0|0,0|",
                "format=ndjson&columns=campaign&order_by=campaign%20desc&limit=2; {\"campaign\":2}|{\"campaign\":1}|"
            })
    void rowsComeAsTheyWereAskedFor(String query, String expected) throws Exception {
        HttpResponse<String> response = get(start(), "/summaries/Campaign%20Details.csv?" + query);
        assertThat(response.body()).isEqualTo(expected.replace('|', '\n'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "column=a; unknown query parameter 'column'|did you mean 'columns'?|known here: cut, columns, where",
                "columns=campain; has no column `campain`|help: did you mean `campaign`?",
                "where=total_0%20%3E%3D%20'x'; where:1:9: error: |cannot be compared|^",
                "where=totl_0%20%3E%201; `Campaign Details` has no column `totl_0`|did you mean `total_0`?",
                "where=topic%20==%20'a'; has no column `topic`",
                "where=(((1; where:1:",
                "limit=1&limit=2; 'limit' is given more than once",
                "limit=-1; limit=-1: a number of rows",
                "order_by=campaign%20down; followed by `asc`, `desc` or nothing",
                "profile=xls; there are rfc4180, excel, pg",
                "having=total_0%20%3E%201; having is a condition on groups, and needs by=",
                "by=total_0; has no key column `total_0`|help: it has `campaign`",
                "by=campaign,campaign; by: `campaign` is named twice",
                "by=campaign&having=totl_0%20%3E%201; having:1:1: error: |did you mean `total_0`?",
                "by=&order_by=campaign; has no column `campaign`|it has `total_0`",
                "format=json; there are csv, ndjson",
                "format=ndjson&profile=rfc4180; a profile is a dialect of CSV; with format=ndjson there is none"
            })
    void aQueryThatMakesNoSenseIsA400ThatSaysWhatWould(String query, String why) throws Exception {
        HttpListener listener = start();
        HttpResponse<String> response = get(listener, "/summaries/Campaign%20Details.csv?" + query);
        assertThat(response.statusCode()).isEqualTo(400);
        for (String part : why.split("\\|")) {
            assertThat(response.body()).contains(part);
        }
        assertThat(get(listener, "/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void aQueryOfManyColumnsIsRefusedWhereItIsTooLong() throws Exception {
        HttpListener listener = start();
        String some = "/summaries/Campaign%20Details.csv?columns=" + "a,".repeat(3_000) + "a";
        assertThat(get(listener, some).statusCode()).isEqualTo(400);
        String many = "/summaries/Campaign%20Details.csv?columns=" + "a,".repeat(10_000) + "a";
        assertThat(get(listener, many).statusCode()).isEqualTo(414);
    }

    @Test
    void anAnswerThatCannotBeSortedIsA413() throws Exception {
        HttpListener listener = start(
                (summary, fields, query) -> out -> pauses -> {
                    throw new CsvQueryException(CsvQueryException.Reason.TOO_LARGE, "too many rows");
                },
                LONG,
                LONG,
                LONG);
        HttpResponse<String> response = get(listener, "/summaries/Campaign%20Details.csv");
        assertThat(response.statusCode()).isEqualTo(413);
        assertThat(response.body()).isEqualTo("too many rows\n");
        assertThat(listener.counters().exportsBroken.sum()).isZero();
    }

    @Test
    void aQueryThatMustWaitTooLongForItsTurnIsA503() throws Exception {
        HttpListener listener = start(
                (summary, fields, query) -> {
                    throw new CsvQueryException(CsvQueryException.Reason.BUSY, "too many new queries");
                },
                LONG,
                LONG,
                LONG);
        HttpResponse<String> response = get(listener, "/summaries/Campaign%20Details.csv");
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(header(response, "Retry-After")).isEqualTo("1");
        assertThat(response.body()).isEqualTo("too many new queries; try again in a moment\n");
        assertThat(listener.counters().exportsBroken.sum()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "zstd"})
    void packedRowsAreTheSameRows(String encoding) throws Exception {
        HttpListener listener = start(REAL, LONG, LONG, LONG, id -> Cuts.of(id, "S", 50_000));
        String plain = get(listener, "/summaries/S.csv").body();
        HttpResponse<byte[]> packed = client.send(
                HttpRequest.newBuilder(URI.create(
                                "http://127.0.0.1:" + listener.address().getPort() + "/summaries/S.csv?cut=1"))
                        .header("Accept-Encoding", encoding)
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        assertThat(header(packed, "Content-Encoding")).isEqualTo(encoding);
        assertThat(header(packed, "Vary")).isEqualToIgnoringCase("accept-encoding");
        assertThat(packed.body().length).isLessThan(plain.length() / 2);
        InputStream in = new ByteArrayInputStream(packed.body());
        try (InputStream unpacked = encoding.equals("gzip") ? new GZIPInputStream(in) : new ZstdInputStream(in)) {
            assertThat(new String(unpacked.readAllBytes(), UTF_8)).isEqualTo(plain);
        }
    }

    @Test
    void rowsThatTheClientHasAreNotSentAgain() throws Exception {
        HttpListener listener = start();
        String path = "/summaries/Campaign%20Details.csv";
        HttpResponse<String> first = get(listener, path);
        String tag = header(first, "ETag");
        assertThat(tag).matches("\"[0-9a-f]+-1-[0-9a-f]+\"");
        HttpResponse<String> same = conditional(listener, path + "?cut=1", "\"other\", W/" + tag, "");
        assertThat(same.statusCode()).isEqualTo(304);
        assertThat(same.body()).isEmpty();
        assertThat(header(same, "ETag")).isEqualTo(tag);
        assertThat(header(same, "X-Summarizer-Cut")).isEqualTo("1");
        assertThat(same.headers().map()).doesNotContainKeys("connection", "content-length");
        assertThat(conditional(listener, path + "?cut=1&limit=1", tag, "").statusCode())
                .isEqualTo(200);
        assertThat(conditional(listener, path + "?cut=1&where=none", "*", "").statusCode())
                .isEqualTo(400);
        assertThat(conditional(listener, path + "?cut=1", tag, "gzip").statusCode())
                .isEqualTo(200);
        assertThat(conditional(listener, path, tag, "").statusCode()).isEqualTo(200); // another cut
        assertThat(request(listener, "HEAD", path + "?cut=1").headers().firstValue("ETag"))
                .hasValue(tag);
    }

    private HttpResponse<String> conditional(HttpListener listener, String path, String tag, String encoding)
            throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + listener.address().getPort() + path))
                .header("If-None-Match", tag);
        if (!encoding.isEmpty()) {
            request.header("Accept-Encoding", encoding);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aCutThatWasLetGoIsGoneAndOneThatNeverWasIsNotFound() throws Exception {
        HttpListener listener = start(REAL, LONG, LONG, Duration.ofMillis(1));
        get(listener, "/summaries");
        Await.until(() -> "still there", () -> listener.served().cuts().size() == 0);
        HttpResponse<String> gone = get(listener, "/summaries?cut=1");
        assertThat(gone.statusCode()).isEqualTo(410);
        assertThat(gone.body()).contains("cut 1 was let go").contains("without ?cut");
        HttpResponse<String> unknown = get(listener, "/summaries?cut=2");
        assertThat(unknown.statusCode()).isEqualTo(404);
    }

    @Test
    void anExportWhoseCutIsRevokedEndsWithoutItsLastChunkAndTheServiceGoesOn() throws Exception {
        CutMemory memory = new CutMemory(1); // the first copy is one too many
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch revoked = new CountDownLatch(1);
        HttpListener listener = start(
                (summary, fields, query) -> out -> pauses -> {
                    out.write("some rows\n".repeat(5_000).getBytes(US_ASCII));
                    begun.countDown();
                    try {
                        revoked.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    return REAL.prepare(summary, fields, query).into(out).step(() -> false);
                },
                LONG,
                LONG,
                LONG,
                id -> Cuts.of(id, "S", 3, memory.lease(CutLease.Kind.READ)));
        Socket export = raw(listener, "GET /summaries/S.csv HTTP/1.1\r\nHost: localhost\r\n\r\n");
        begun.await();
        ChunkedBytes table = new ChunkedBytes(); // of the same memory
        table.append();
        table.freeze(memory.lease(CutLease.Kind.READ));
        table.writable(0)[0] = 1;
        revoked.countDown();

        assertThat(readAll(export))
                .startsWith("HTTP/1.1 200")
                .contains("some rows")
                .doesNotContain("campaign,total_0")
                .doesNotEndWith("0\r\n\r\n");
        Await.until(() -> "broken", () -> listener.counters().exportsBroken.sum() == 1);
        HttpResponse<String> again = get(listener, "/summaries/S.csv?cut=1");
        assertThat(again.statusCode()).isEqualTo(410);
        assertThat(again.body()).contains("cut 1 was revoked", "cuts.memory");

        HttpResponse<String> next = get(listener, "/summaries/S.csv");
        assertThat(next.statusCode()).isEqualTo(200);
        assertThat(next.body()).endsWith("campaign,total_0\n0,0\n1,10\n2,20\n");
        assertThat(header(next, "X-Summarizer-Cut")).isEqualTo("2");
        assertThat(memory.revoked()).isEqualTo(2);
        assertThat(memory.held()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3_000})
    void anExportWhoseCutIsRevokedBeforeAnythingWasSentIsRefusedWithAReason(int rowsBefore) throws Exception {
        CutMemory memory = new CutMemory(1); // the first copy is one too many
        HttpListener listener = start(
                (summary, fields, query) -> out -> pauses -> {
                    out.write("some rows\n".repeat(rowsBefore).getBytes(US_ASCII));
                    ChunkedBytes table = new ChunkedBytes(); // of the same memory
                    table.append();
                    table.freeze(memory.lease(CutLease.Kind.READ));
                    table.writable(0)[0] = 1;
                    return REAL.prepare(summary, fields, query).into(out).step(() -> false);
                },
                LONG,
                LONG,
                LONG,
                id -> Cuts.of(id, "S", 3, memory.lease(CutLease.Kind.READ)));
        HttpResponse<String> answer = get(listener, "/summaries/S.csv");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body())
                .startsWith("the cut was revoked: ")
                .contains("cuts.memory")
                .doesNotContain("rows\n");
        assertThat(header(answer, "Retry-After")).isEqualTo("1");
        assertThat(listener.counters().exportsBroken.sum()).isEqualTo(1);
    }

    @Test
    void requestsSentAtOnceAreAnsweredInTurnOnOneConnection() throws Exception {
        HttpListener listener = start();
        String csv = "GET /summaries/Campaign%20Details.csv HTTP/1.1\r\nHost: localhost\r\n\r\n";
        String last = "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        String answers = readAll(raw(listener, csv + "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" + csv + last));
        assertThat(answers).containsPattern("(?s)X-Summarizer-Cut: 1.*ok\n.*X-Summarizer-Cut: 2.*ready\n$");
        assertThat(answers.split("HTTP/1.1 200 OK", -1)).hasSize(5);
        assertThat(listener.counters().requests.sum()).isEqualTo(4);
    }

    @Test
    void aDownloadThatFailsEndsWithoutItsLastChunk() throws Exception {
        HttpListener listener = start(
                (summary, fields, query) -> out -> pauses -> {
                    out.write("a,b\n".repeat(20_000).getBytes(US_ASCII));
                    throw new IllegalStateException("chunk budget exceeded");
                },
                LONG,
                LONG,
                LONG);
        String answer =
                readAll(raw(listener, "GET /summaries/Campaign%20Details.csv HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        assertThat(answer).startsWith("HTTP/1.1 200 OK").contains("a,b\n").doesNotContain("\r\n0\r\n");
        assertThat(listener.counters().exportsBroken.sum()).isEqualTo(1);
        assertThat(listener.counters().exports.sum()).isZero();
    }

    @Test
    void http10GetsItsRowsWithoutChunksAndAResetWhenTheyBreakOff() throws Exception {
        HttpListener listener = start(
                (summary, fields, query) -> out -> pauses -> {
                    out.write("a,b\n".getBytes(US_ASCII));
                    if (!fields.isEmpty()) {
                        throw new IllegalStateException("chunk budget exceeded");
                    }
                    return true;
                },
                LONG,
                LONG,
                LONG);
        assertThat(readAll(raw(listener, "GET /summaries/Campaign%20Details.csv HTTP/1.0\r\n\r\n")))
                .doesNotContainIgnoringCase("transfer-encoding")
                .endsWith("\r\n\r\na,b\n");
        Socket broken = raw(listener, "GET /summaries/Campaign%20Details/interactions.csv HTTP/1.0\r\n\r\n");
        assertThatThrownBy(() -> readAll(broken))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("reset");
    }

    @Test
    void aClientThatTakesNothingIsCutOffWhileOthersAreServed() throws Exception {
        byte[] row = "x".repeat(1023).concat("\n").getBytes(US_ASCII);
        AtomicLong written = new AtomicLong();
        HttpListener listener = start(
                (summary, fields, query) -> out -> pauses -> {
                    while (fields.isEmpty() && !pauses.getAsBoolean()) { // endless unless it is cut off
                        out.write(row);
                        written.addAndGet(row.length);
                    }
                    return !fields.isEmpty();
                },
                Duration.ofMillis(300),
                LONG,
                LONG);
        Socket stalled = raw(listener, "GET /summaries/Campaign%20Details.csv HTTP/1.1\r\nHost: localhost\r\n\r\n");
        Await.until(() -> written + " written", () -> written.get() > 0);
        assertThat(get(listener, "/summaries/Campaign%20Details/interactions.csv")
                        .statusCode())
                .isEqualTo(200);
        Await.until(() -> "not cut off", () -> listener.counters().exportsBroken.sum() == 1);
        assertThat(written.get()).isLessThan(64 << 20); // the buffers of the kernel and of the service
        assertThat(get(listener, "/healthz").body()).isEqualTo("ok\n");
        stalled.close();
    }

    @Test
    void aClientThatGoesAwayEndsItsDownload() throws Exception {
        byte[] row = "x".repeat(1023).concat("\n").getBytes(US_ASCII);
        HttpListener listener = start(
                (summary, fields, query) -> out -> pauses -> {
                    while (!pauses.getAsBoolean()) {
                        out.write(row);
                    }
                    return false;
                },
                LONG,
                LONG,
                LONG);
        Socket client = raw(listener, "GET /summaries/Campaign%20Details.csv HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(client.getInputStream().readNBytes(10_000)).hasSize(10_000);
        client.close();
        Await.until(
                () -> "still writing", () -> listener.counters().exportsBroken.sum() == 1);
    }

    @Test
    void downloadsBeyondTheBoundOfAnAddressAreToldToComeAgain() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        HttpListener listener = start(
                (summary, fields, query) -> out -> pauses -> {
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    return true;
                },
                LONG,
                LONG,
                LONG);
        String request =
                "GET /summaries/Campaign%20Details.csv HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        List<Socket> busy = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            busy.add(raw(listener, request));
        }
        Await.until(
                () -> listener.pulls().underWay() + " under way",
                () -> listener.pulls().underWay() == 3);
        String refused = readAll(raw(listener, request));
        assertThat(refused).startsWith("HTTP/1.1 503 ").containsIgnoringCase("Retry-After: 1");
        assertThat(listener.counters().exportsRefused.sum()).isEqualTo(1);
        busy.add(rawFrom("127.0.0.2", listener, request));
        Await.until(
                () -> listener.pulls().underWay() + " under way",
                () -> listener.pulls().underWay() == 4);
        end.countDown();
        for (Socket socket : busy) {
            assertThat(readAll(socket)).startsWith("HTTP/1.1 200 OK").endsWith("\r\n0\r\n\r\n");
        }
    }

    private static final String PULL = "GET /summaries/Campaign%20Details.csv HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String OTHER = "/summaries/Campaign%20Details/interactions.csv";

    /** Starts a listener whose pulls of the summary never end; those of its nested summary are real. */
    private HttpListener endless(CsvWriter.Steps steps) throws IOException {
        return start(
                (summary, fields, query) -> fields.isEmpty() ? out -> steps : REAL.prepare(summary, fields, query),
                LONG,
                LONG,
                LONG);
    }

    @Test
    void clientsThatReadNothingKeepNoThread() throws Exception {
        byte[] row = "x".repeat(1023).concat("\n").getBytes(US_ASCII);
        AtomicLong full = new AtomicLong();
        HttpListener listener = start(
                (summary, fields, query) -> !fields.isEmpty()
                        ? REAL.prepare(summary, fields, query)
                        : out -> pauses -> {
                            for (int i = 0; i < 1_000; i++) { // more than a turn may write
                                if (pauses.getAsBoolean()) {
                                    full.incrementAndGet();
                                    return false;
                                }
                                out.write(row);
                            }
                            return false;
                        },
                LONG,
                LONG,
                LONG);
        Socket one = raw(listener, PULL); // as many as there are threads
        Socket two = raw(listener, PULL);
        Await.until(() -> full + " paused", () -> full.get() > 2);
        assertThat(get(listener, OTHER).statusCode()).isEqualTo(200);
        // A client may have its whole answer shortly before the pull ends.
        Await.until(
                () -> listener.pulls().underWay() + " under way",
                () -> listener.pulls().underWay() == 2);
        one.close();
        two.close();
        Await.until(() -> "not ended", () -> listener.pulls().underWay() == 0);
    }

    @Test
    void aClientThatTakesNothingForAWhileGivesItsPlaceToANewPull() throws Exception {
        byte[] row = "x".repeat(1023).concat("\n").getBytes(US_ASCII);
        HttpListener listener = start(
                (summary, fields, query) -> !fields.isEmpty()
                        ? REAL.prepare(summary, fields, query)
                        : out -> pauses -> {
                            while (!pauses.getAsBoolean()) {
                                out.write(row);
                            }
                            return false;
                        },
                LONG,
                LONG,
                LONG);
        for (int i = 0; i < 3; i++) { // as many as one address may have
            raw(listener, PULL);
        }
        Await.until(
                () -> listener.pulls().underWay() + " under way",
                () -> listener.pulls().underWay() == 3);
        HttpResponse<String> refused = get(listener, OTHER);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(header(refused, "Retry-After")).isEqualTo("1");
        assertThat(listener.counters().exportsDisplaced.sum()).isZero();
        Await.until(() -> "no place", () -> {
            skippedNanos.addAndGet(Pulls.SPARE.toNanos());
            try {
                return get(listener, OTHER).statusCode() == 200;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(listener.counters().exportsDisplaced.sum()).isEqualTo(1);
        Await.until(() -> "goes on", () -> listener.counters().exportsBroken.sum() == 1);
    }

    @Test
    void aQueryThatFindsNothingEndsWhenItsClientIsGone() throws Exception {
        AtomicLong asked = new AtomicLong();
        HttpListener listener = endless(pauses -> {
            while (!pauses.getAsBoolean()) {
                asked.incrementAndGet();
            }
            return false;
        });
        Socket client = raw(listener, PULL);
        Await.until(() -> "not begun", () -> asked.get() > 0);
        assertThat(listener.pulls().underWay()).isEqualTo(1);
        client.close();
        Await.until(() -> "goes on", () -> listener.pulls().underWay() == 0);
        assertThat(listener.counters().exportsBroken.sum()).isEqualTo(1);
    }

    @Test
    void queriesThatTakeLongLetOthersHaveTheirTurns() throws Exception {
        AtomicLong turns = new AtomicLong();
        HttpListener listener = endless(pauses -> {
            turns.incrementAndGet();
            while (!pauses.getAsBoolean()) {
                Thread.onSpinWait();
            }
            return false;
        });
        List<Socket> busy = List.of(raw(listener, PULL), raw(listener, PULL));
        Await.until(() -> turns + " turns", () -> turns.get() > 2);
        assertThat(get(listener, OTHER).statusCode()).isEqualTo(200);
        for (Socket socket : busy) {
            socket.close();
        }
    }

    @Test
    void aQueryThatTakesTooMuchWorkIsA422() throws Exception {
        queryTimeout = Duration.ofMillis(100);
        HttpListener listener = endless(pauses -> {
            while (!pauses.getAsBoolean()) {
                Thread.onSpinWait();
            }
            return false;
        });
        HttpResponse<String> answer = get(listener, "/summaries/Campaign%20Details.csv");
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(answer.body()).startsWith("the query took more than 100 ms of work (http.query-timeout)");
        assertThat(listener.counters().exportsTimedOut.sum()).isEqualTo(1);
        assertThat(listener.pulls().underWay()).isZero();
    }

    @Test
    void newQueriesThatWaitToBeCompiledKeepNoThread() throws Exception {
        CountDownLatch compiling = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        HttpListener listener = start(
                new CsvWriter() {
                    @Override
                    public Rows prepare(SummaryView summary, List<String> fields, CsvQuery query)
                            throws CsvQueryException {
                        if (!isQuick(summary, fields, query)) {
                            compiling.countDown();
                            try {
                                end.await();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        }
                        return REAL.prepare(summary, fields, query);
                    }

                    @Override
                    public boolean isQuick(SummaryView summary, List<String> fields, CsvQuery query) {
                        return !fields.isEmpty();
                    }
                },
                LONG,
                LONG,
                LONG);
        List<Socket> waiting = List.of(raw(listener, PULL), raw(listener, PULL));
        compiling.await();
        Await.until(() -> "", () -> listener.pulls().underWay() == 2);
        assertThat(get(listener, OTHER).statusCode()).isEqualTo(200);
        end.countDown();
        for (Socket socket : waiting) {
            assertThat(socket.getInputStream().read()).isEqualTo('H');
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "POST; /summaries/Campaign%20Details/reset?where=campaign%3D1; 'where'; none is known here",
                "POST; /summaries/Campaign%20Details/reset?limit=1; 'limit'; none is known here",
                "POST; /summaries/Campaign%20Details/reset?dry_run=1; 'dry_run'; none is known here",
                "POST; /summaries/Campaign%20Details/reset?cut=1; 'cut'; none is known here",
                "POST; /definitions/reload?dry_run; 'dry_run'; none is known here",
                "POST; /definitions/plan?x=1; 'x'; none is known here",
                "GET; /summaries?where=1; 'where'; known here: cut, keep",
                "GET; /state?limit=1; 'limit'; known here: cut",
                "GET; /ledger?summary=S; 'summary'; known here: cut",
                "GET; /resets?cut=1; 'cut'; none is known here",
                "GET; /definitions?x; 'x'; known here: cut",
                "GET; /metrics?name=a; 'name'; known here: name[]",
                "GET; /topics?name=a; 'name'; known here: topic",
                "GET; /?x=1; 'x'; none is known here",
                "GET; /healthz?x=1; 'x'; none is known here",
                "GET; /summaries?cut=1&cut=1; 'cut' is given more than once; 'cut'",
                "GET; /summaries/Campaign%20Details.csv?where=1&where=1; 'where' is given more than once; 'where'"
            })
    void shouldRefuseParametersThatAreNotKnown(String method, String path, String unknown, String known)
            throws Exception {
        HttpResponse<String> answer = request(start(), method, path);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains(unknown, known);
        assertThat(reloads.get()).isZero();
    }

    @Test
    void shouldRefuseMoreParametersThanItReads() throws Exception {
        HttpResponse<String> answer = get(start(), "/topics?topic=a" + "&topic=a".repeat(32));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("more than 32 query parameters");
    }

    @Test
    void shouldRefuseABodyWhereSomethingWouldBeChanged() throws Exception {
        HttpListener listener = start();
        String answer = readAll(raw(
                listener,
                "POST /definitions/reload HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        + "Content-Length: 7\r\n\r\nwhere=1"));
        assertThat(answer).startsWith("HTTP/1.1 400").contains("takes no body");
        assertThat(reloads.get()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"nonsense,54,200 OK", "100-continue,9000,413 Request Entity Too Large"})
    void aBodyIsNotTakenForARequestAfterAnExpectationThatIsNotMet(String expectation, int length, String status)
            throws Exception {
        HttpListener listener = start();
        String hidden = "POST /definitions/reload HTTP/1.1\r\nHost: localhost\r\n\r\n";
        String answer = readAll(raw(
                listener,
                "GET /healthz HTTP/1.1\r\nHost: localhost\r\nExpect: " + expectation + "\r\nContent-Length: " + length
                        + "\r\n" + (length < 9000 ? "Connection: close\r\n" : "") + "\r\n" + hidden));
        assertThat(hidden).hasSize(54);
        assertThat(answer).startsWith("HTTP/1.1 " + status).containsOnlyOnce("HTTP/1.1");
        assertThat(reloads.get()).isZero();
    }

    @Test
    void aRequestThatDoesNotComeToItsEndIsGivenUp() throws Exception {
        HttpListener listener = start(REAL, LONG, Duration.ofMillis(100), LONG);
        Socket slow = raw(listener, "GET /summaries HTTP/1.1\r\nHo");
        assertThat(readAll(slow)).isEmpty();
    }

    @Test
    void aStateFileWhoseCutIsRevokedBeforeItBeginsIsRefusedWithAReason() throws Exception {
        CutMemory memory = new CutMemory(1); // the first copy is one too many
        HttpListener listener =
                start(REAL, LONG, LONG, LONG, id -> Cuts.of(id, "S", 3, memory.lease(CutLease.Kind.READ)));
        assertThat(get(listener, "/summaries").statusCode()).isEqualTo(200);
        CountDownLatch go = new CountDownLatch(1);
        listener.pulls().state(() -> {
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Socket file = raw(listener, "GET /state?cut=1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        Await.until(() -> "not queued", () -> listener.saving().availablePermits() == 0);
        ChunkedBytes table = new ChunkedBytes(); // of the same memory
        table.append();
        table.freeze(memory.lease(CutLease.Kind.READ));
        table.writable(0)[0] = 1;
        go.countDown();
        assertThat(readAll(file)).startsWith("HTTP/1.1 503").contains("the cut was revoked: ", "cuts.memory");
        Await.until(() -> "still saving", () -> listener.saving().availablePermits() == 1);
        assertThat(listener.counters().exportsBroken.sum()).isEqualTo(1);
    }

    @Test
    void requestsThatAreTooLargeOrNoneAreRefused() throws Exception {
        HttpListener listener = start();
        assertThat(readAll(raw(listener, "GET /" + "x".repeat(17_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n")))
                .startsWith("HTTP/1.1 414 ");
        assertThat(readAll(raw(listener, "GET / HTTP/1.1\r\nX: " + "x".repeat(20_000) + "\r\n\r\n")))
                .startsWith("HTTP/1.1 431 ");
        assertThat(readAll(raw(listener, "POST / HTTP/1.1\r\nContent-Length: 100000\r\nConnection: close\r\n\r\n")))
                .startsWith("HTTP/1.1 413 ")
                .endsWith("the body is larger than 8192 bytes, and this request takes none\n");
        assertThat(readAll(raw(listener, "\u0016\u0003\u0001 TLS?\r\n\r\n"))).startsWith("HTTP/1.1 400 ");
        assertThat(get(listener, "/healthz").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/2.0", "HTTP/1.5", "HTTP/0.9"})
    void anotherVersionOfHttpIsRefused(String version) throws Exception {
        HttpListener listener = start();
        assertThat(readAll(raw(listener, "GET /summaries " + version + "\r\nHost: localhost\r\n\r\n")))
                .startsWith("HTTP/1.1 505 ");
    }

    @Test
    void aRequestThatIsTooLargeIsAnsweredAfterTheRequestBeforeIt() throws Exception {
        HttpListener listener = start();
        String answers = readAll(raw(
                listener,
                "POST /definitions/reload HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        + "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n"));
        assertThat(answers).matches("(?s)HTTP/1\\.1 200 .*HTTP/1\\.1 413 .*");
        assertThat(reloads.get()).isEqualTo(1);
    }

    @Test
    void stateFilesAreWrittenOneAtATimeFromACutThatIsLetGoWithThem() throws Exception {
        CutMemory memory = new CutMemory(1 << 20);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        CutSource source = new CutSource() {
            @Override
            public Cut cut() {
                throw new IllegalStateException("an ordinary cut may be revoked");
            }

            @Override
            public Cut checkpoint() throws InterruptedException {
                begun.countDown();
                go.await();
                CutLease lease = memory.lease(CutLease.Kind.CHECKPOINT);
                return Cuts.of(cuts.incrementAndGet(), "Campaign Details", 3, lease);
            }
        };
        HttpListener listener = start(REAL, LONG, LONG, LONG, source);
        CompletableFuture<HttpResponse<String>> first = CompletableFuture.supplyAsync(() -> {
            try {
                return get(listener, "/state");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        HttpResponse<String> second = get(listener, "/state");
        assertThat(second.statusCode()).isEqualTo(503);
        assertThat(second.body()).contains("one at a time");
        assertThat(header(second, "Retry-After")).isEqualTo("1");
        go.countDown();
        HttpResponse<String> saved = first.get(30, TimeUnit.SECONDS);
        assertThat(saved.statusCode()).isEqualTo(200);
        assertThat(header(saved, "X-Summarizer-Cut")).isEqualTo("1");
        assertThat(memory.held()).as("with the last byte").isZero();
        for (int i = 0; i < 20; i++) {
            assertThat(get(listener, "/state").statusCode())
                    .as("one after the other")
                    .isEqualTo(200);
        }
        assertThat(get(listener, "/state?cut=1").statusCode())
                .as("it is not kept")
                .isEqualTo(410);
    }

    @Test
    void aStateFileThatCannotBeWrittenLeavesTheWayFree() throws Exception {
        HttpListener listener = start(REAL, LONG, LONG, LONG, () -> {
            throw new IllegalStateException("the pipeline is closed");
        });
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> response = get(listener, "/state");
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.body()).startsWith("no cut could be taken: the pipeline is closed");
        }
    }

    @Test
    void theHelpNamesTheOptionsOfRowsBelowTheRows() throws Exception {
        String help = get(start(), "/nothing").body();
        assertThat(help.substring(0, help.indexOf("?columns")))
                .contains("FIELD.csv")
                .doesNotContain("/state");
    }

    @Test
    void connectionsBeyondTheBoundAreClosed() throws Exception {
        HttpListener listener = start();
        for (int i = 0; i < 4; i++) {
            Socket socket = raw(listener, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
            assertThat(socket.getInputStream().read()).isEqualTo('H');
        }
        String fifth = readAll(raw(listener, "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        assertThat(fifth).startsWith("HTTP/1.1 503 ").contains("http.max-connections", "connection: close");
        assertThat(listener.counters().connectionsRefused.sum()).isEqualTo(1);
    }

    @Test
    void readinessHasAReason() throws Exception {
        HttpListener listener = start();
        assertThat(get(listener, "/readyz").statusCode()).isEqualTo(200);
        notReady.set(Optional.of("draining"));
        HttpResponse<String> response = get(listener, "/readyz");
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).isEqualTo("not ready: draining\n");
        assertThat(get(listener, "/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void ofTopicsItSaysNothingBeforeThereArePatterns() throws Exception {
        HttpListener listener = start();
        notReady.set(Optional.of("recovering: 34 %"));
        HttpResponse<String> response = get(listener, "/topics?topic=a");
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("recovering: 34 %");
    }

    @Test
    void whileItStartsItSaysHowFarItIsAndNothingElse() throws Exception {
        HttpListener listener = starting(LONG, LONG, LONG);
        notReady.set(Optional.of("recovering: loading the last checkpoint, 34 %"));
        assertThat(get(listener, "/healthz").statusCode()).isEqualTo(200);
        HttpResponse<String> ready = get(listener, "/readyz");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).isEqualTo("not ready: recovering: loading the last checkpoint, 34 %\n");
        for (String path :
                List.of("/", "/summaries", "/summaries/Campaigns.csv", "/metrics", "/topics?topic=a", "/x")) {
            HttpResponse<String> response = get(listener, path);
            assertThat(response.statusCode()).as(path).isEqualTo(503);
            assertThat(header(response, "Retry-After")).as(path).isEqualTo("1");
            assertThat(response.body()).as(path).contains("34 %");
        }
        for (String path : List.of("/definitions/reload", "/summaries/Campaigns/reset")) {
            assertThat(request(listener, "POST", path).statusCode()).as(path).isEqualTo(503);
        }
    }

    @Test
    void aCutThatCannotBeTakenIsA503AndMetricsStillCome() throws Exception {
        HttpListener listener = start(REAL, LONG, LONG, LONG, id -> {
            throw new IllegalStateException("the pipeline is closed");
        });
        HttpResponse<String> response = get(listener, "/summaries");
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("the pipeline is closed");
        assertThat(get(listener, "/metrics").body()).contains("summarizer_received_total 1234567.0");
    }

    @Test
    void metricsAreInPrometheusText() throws Exception {
        HttpListener listener = start();
        HttpResponse<String> response = get(listener, "/metrics");
        assertThat(header(response, "Content-Type")).startsWith("text/plain; version=0.0.4");
        assertThat(response.body().lines())
                .contains(
                        "summarizer_received_total 1234567.0",
                        "summarizer_rejected_total{reason=\"payload\"} 38.0",
                        "summarizer_http_requests_total 1.0");
    }

    @Test
    void metricsCanBeAskedForByName() throws Exception {
        String text = get(start(), "/metrics?name%5B%5D=summarizer_received_total&name[]=summarizer_rejected_total")
                .body();
        assertThat(text.lines())
                .contains("summarizer_received_total 1234567.0", "summarizer_rejected_total{reason=\"payload\"} 38.0")
                .noneMatch(line -> line.startsWith("jvm_") || line.startsWith("summarizer_unmatched"));
    }

    @Test
    void thePageShowsEverythingEscapedAndLoadsNothing() throws Exception {
        String evil = "<script>alert('x')</script>&\"";
        HttpListener listener = start(REAL, LONG, LONG, LONG, id -> Cuts.of(id, evil, 1234));
        HttpResponse<String> response = get(listener, "/");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(header(response, "Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(header(response, "Content-Security-Policy"))
                .startsWith("default-src 'none';")
                .contains("script-src 'sha256-");
        String page = response.body();
        assertThat(page)
                .contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;")
                .doesNotContain("<script>alert")
                .contains("1,234,567")
                .contains("rejected: oversize")
                .contains("1,234</td>")
                .contains(
                        "<a href=\"/summaries/%3Cscript%3Ealert%28%27x%27%29%3C%2Fscript%3E%26%22/interactions.csv\">")
                .contains("read.csv(", "pd.read_csv(", "\\copy", "From Web")
                .contains("http://127.0.0.1:" + listener.address().getPort() + "/summaries/")
                .doesNotContain("{{")
                .doesNotContainPattern("(src|href)=\"(https?:)?//");
        assertThat(get(listener, "/summaries/%3Cscript%3Ealert%28%27x%27%29%3C%2Fscript%3E%26%22.csv")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void shouldShowLocalhostToWhoNamesNoHost() throws Exception {
        String page = readAll(raw(start(), "GET / HTTP/1.0\r\n\r\n"));
        assertThat(page).contains("http://localhost/summaries/");
    }

    @Test
    void shouldWriteOneStateFileAtATimeAlsoOfKeptCuts() throws Exception {
        HttpListener listener = start();
        String id = header(get(listener, "/summaries"), "X-Summarizer-Cut");
        listener.saving().acquire(); // as one that is being written
        for (String path : List.of("/state", "/state?cut=" + id)) {
            HttpResponse<String> second = get(listener, path);
            assertThat(second.statusCode()).as(path).isEqualTo(503);
            assertThat(second.body()).as(path).contains("one at a time");
            assertThat(header(second, "Retry-After")).as(path).isEqualTo("1");
        }
        listener.saving().release();
        for (int i = 0; i < 3; i++) {
            assertThat(get(listener, "/state?cut=" + id).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aStopLetsADownloadComeToItsEnd() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        HttpListener listener = start(
                (summary, fields, query) -> out -> pauses -> {
                    begun.countDown();
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        throw new IOException(e);
                    }
                    out.write("all of it\n".getBytes(US_ASCII));
                    return true;
                },
                LONG,
                LONG,
                LONG);
        Socket client = raw(listener, "GET /summaries/Campaign%20Details.csv HTTP/1.1\r\nHost: localhost\r\n\r\n");
        begun.await();
        Thread stop = new Thread(listener::close);
        stop.start();
        end.countDown();
        assertThat(readAll(client)).contains("all of it\n").endsWith("\r\n0\r\n\r\n");
        stop.join();
    }

    @ParameterizedTest
    @CsvSource({"DONE,200", "INVALID,422", "REFUSED,409", "FAILED,500"})
    void shouldTellByItsStatusWhatCameOfAReload(DefinitionsControl.Outcome outcome, int status) throws Exception {
        reloaded.set(new DefinitionsControl.Answer(outcome, "a.summ:1:2: error: why\nmore"));
        HttpListener listener = start();
        for (String path : List.of("/definitions/reload", "/definitions/plan")) {
            HttpResponse<String> answer = request(listener, "POST", path);
            assertThat(answer.statusCode()).isEqualTo(status);
            assertThat(answer.body()).isEqualTo("a.summ:1:2: error: why\nmore\n");
        }
    }

    @Test
    void shouldSayWhenToAskAgainForAReload() throws Exception {
        reloaded.set(new DefinitionsControl.Answer(DefinitionsControl.Outcome.RECOVERING, "the service is recovering"));
        HttpResponse<String> answer = request(start(), "POST", "/definitions/reload");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("retry-after")).contains("1");
        assertThat(answer.body()).isEqualTo("the service is recovering; try again in a moment\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/definitions/reload", "/definitions/plan"})
    void shouldReloadForPostsOfNoPageOnly(String path) throws Exception {
        HttpListener listener = start();
        assertThat(get(listener, path).statusCode()).isEqualTo(405);
        Socket page = raw(
                listener,
                "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nOrigin: http://x\r\nContent-Length: 0\r\n"
                        + "Connection: close\r\n\r\n");
        assertThat(readAll(page)).startsWith("HTTP/1.1 403 ").contains("may not read definitions anew");
        assertThat(reloads).hasValue(0);
    }

    @Test
    void shouldTellHowSummariesAreDefined() throws Exception {
        HttpListener listener = start();
        List<DefinedTable> tables =
                DefinedTable.read(get(listener, "/definitions").body());
        Cut cut = Cuts.of(1, "Campaign Details", 3);
        assertThat(tables)
                .map(DefinedTable::layout)
                .containsExactly(cut.summaries().get(0).layout());
        assertThat(tables).map(DefinedTable::rows).containsExactly(3L);
        assertThat(get(listener, "/definitions?cut=987654321").statusCode()).isEqualTo(404);
        assertThat(tables.get(0).rows(List.of(0, 0)))
                .isEqualTo(cut.summaries().get(0).rows(List.of(0, 0)))
                .isPositive();
    }
}
