package io.summarizer.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.archive.WindowFolder;
import io.summarizer.core.archive.WindowList;
import io.summarizer.core.archive.WindowRefusedException;
import io.summarizer.core.disk.FileDisk;
import io.summarizer.core.store.AggregateType;
import io.summarizer.core.store.ClosedWindow;
import io.summarizer.core.store.ClosedWindows;
import io.summarizer.core.store.Cut;
import io.summarizer.core.store.KeyBuffer;
import io.summarizer.core.store.KeyLayout;
import io.summarizer.core.store.KeyType;
import io.summarizer.core.store.StoreView;
import io.summarizer.core.store.Summaries;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.core.store.SummaryLayout.KeyColumn;
import io.summarizer.core.store.SummaryLayout.ValueColumn;
import io.summarizer.core.store.SummaryLimit;
import io.summarizer.core.store.SummaryStore;
import io.summarizer.core.store.SummaryView;
import io.summarizer.core.store.SummaryWindow;
import io.summarizer.core.store.UpdateBatch;
import io.summarizer.core.time.CalendarUnit;
import io.summarizer.dsl.export.CsvQueryCompiler;
import io.summarizer.dsl.generate.RowSources;
import io.summarizer.server.Await;
import io.summarizer.server.metrics.ServerMetrics;
import io.summarizer.server.net.NettyWorkers;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows over HTTP: four minutes from 1970 on, of which the first is in a file and the second is closing. */
class WindowsOverHttpTest {
    private static final long MINUTE = 60_000_000;
    private static final long FUTURE = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse("2100-01-01T00:00:00Z"));

    private static final SummaryLayout TRAFFIC = new SummaryLayout(
            "Traffic",
            0,
            List.of(new KeyColumn("minute", 1, KeyType.TIMESTAMP), new KeyColumn("host", 2, KeyType.STRING)),
            List.of(new ValueColumn("requests", 1, AggregateType.COUNT, 0, 0)),
            List.of(),
            SummaryLimit.DEFAULT,
            new SummaryWindow(0, 1, CalendarUnit.MINUTE, ZoneOffset.UTC));

    private static final SummaryLayout PLAIN = new SummaryLayout(
            "Plain",
            0,
            List.of(new KeyColumn("host", 1, KeyType.STRING)),
            List.of(new ValueColumn("requests", 1, AggregateType.COUNT, 0, 0)),
            List.of());

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<String> closes = new ArrayList<>();
    private final List<String> puts = new CopyOnWriteArrayList<>();
    private final AtomicLong cuts = new AtomicLong();
    private final AtomicLong skippedNanos = new AtomicLong();

    /** Taken by each count of late messages. */
    private final Semaphore counting = new Semaphore(1_000);

    /** Number of files that a cut has; all but the first are only listed. */
    private volatile int files = 1;

    @TempDir
    private Path path;

    @SuppressWarnings("NullAway.Init")
    private WindowFolder folder;

    @SuppressWarnings("NullAway.Init")
    private Cut memory;

    @SuppressWarnings("NullAway.Init")
    private HttpListener listener;

    @BeforeEach
    void start() throws Exception {
        Summaries rows = new Summaries(
                List.of(TRAFFIC, PLAIN), List.of(RowSources.compile(TRAFFIC), RowSources.compile(PLAIN)), 1_000);
        for (int i = 0; i < 40; i++) {
            KeyBuffer key = new KeyBuffer(new KeyLayout(TRAFFIC.keys()));
            key.reset();
            key.setLong(0, i % 4 * MINUTE);
            key.setString(1, new byte[] {(byte) ('a' + i % 3)}, 0, 1);
            UpdateBatch batch = new UpdateBatch(256);
            batch.beginRow(0, key, key.hash(), i + 1);
            batch.addLong(0, 1);
            batch.endRow();
            SummaryStore store = rows.partition(0, i % 2).storeOf(batch.bytes(), 0);
            Objects.requireNonNull(store).apply(batch.bytes(), 0);
        }
        memory = rows.freeze(1, 1);
        folder = WindowFolder.open(new FileDisk(path), "Traffic", 1, note -> {});
        var unused = folder.write(memory, 0, MINUTE);
        NettyWorkers workers = new NettyWorkers("test-http", 1);
        opened.add(workers);
        listener = new HttpListener(
                HttpSettings.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                workers,
                Optional::empty,
                () -> System.nanoTime() + skippedNanos.get());
        listener.start();
        opened.add(listener);
        ServerMetrics metrics = new ServerMetrics(Cuts.COUNTS);
        opened.add(metrics);
        listener.serve(source(), CsvQueryCompiler.of(List.of(TRAFFIC, PLAIN)), metrics, definitions());
    }

    private record File(long start) implements ClosedWindow {
        @Override
        public long end() {
            return start + MINUTE;
        }

        @Override
        public long rows() {
            return 7;
        }

        @Override
        public long bytes() {
            return 1_234;
        }

        @Override
        public int number() {
            return 1;
        }

        @Override
        public long cut() {
            return 1;
        }

        @Override
        public void copyTo(OutputStream out) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SummaryLayout layout() {
            return TRAFFIC;
        }

        @Override
        public Rows open(SummaryLayout layout, List<Integer> path) {
            throw new UnsupportedOperationException();
        }
    }

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private CutSource source() {
        return new CutSource() {
            @Override
            public Cut cut() {
                WindowList list = folder.current();
                SummaryView all = memory.summaries().get(0);
                List<StoreView> rest = all.partitions().stream()
                        .filter(rows -> list.windows().stream().noneMatch(file -> file.start() == rows.window()))
                        .toList();
                List<ClosedWindow> windows = new ArrayList<>(list.windows());
                for (int i = 1; i < files; i++) {
                    windows.add(new File((i + 3) * MINUTE));
                }
                ClosedWindows closed = new ClosedWindows(2 * MINUTE, windows);
                return new Cut(
                        cuts.incrementAndGet(),
                        1_795_132_800_000_000L,
                        List.of(
                                new SummaryView(TRAFFIC, rest, 40, closed),
                                memory.summaries().get(1)));
            }

            @Override
            public OptionalLong closeWindows(String summary, OptionalLong before) {
                if (before.equals(OptionalLong.of(FUTURE))) {
                    throw new UncheckedIOException("in the future", new WindowRefusedException("in the future"));
                }
                closes.add(summary + " " + before);
                return closes.size() == 1 ? OptionalLong.of(2 * MINUTE) : OptionalLong.empty();
            }

            @Override
            public Upload beginPut(String summary) {
                return new Upload() {
                    @Override
                    public void write(ByteBuffer bytes) {
                        puts.add("write");
                    }

                    @Override
                    public ClosedWindow put(boolean overwrite) {
                        puts.add("put");
                        return new File(0);
                    }

                    @Override
                    public void close() {
                        puts.add("closed");
                    }
                };
            }

            @Override
            public OptionalLong state() {
                return OptionalLong.of(folder.current().version());
            }

            @Override
            public Map<Long, Long> late(String summary) {
                counting.acquireUninterruptibly();
                return Map.of();
            }
        };
    }

    private static DefinitionsControl definitions() {
        return new DefinitionsControl() {
            @Override
            public CompletableFuture<Answer> reload() {
                return plan();
            }

            @Override
            public CompletableFuture<Answer> plan() {
                return CompletableFuture.completedFuture(new Answer(Outcome.FAILED, "no definitions"));
            }
        };
    }

    private HttpResponse<String> request(String method, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + listener.address().getPort() + path);
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .method(method, HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    private String get(String path) throws IOException, InterruptedException {
        HttpResponse<String> response = request("GET", path);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }

    @Test
    void shouldListWindowsWithTheirStates() throws Exception {
        long bytes = Files.size(path.resolve("19700101T000000Z.state"));
        String open = "\"state\":\"open\",\"rows\":3,\"bytes\":null,\"late\":0}";
        assertThat(get("/summaries/Traffic/windows").strip())
                .isEqualTo("[{\"start\":\"1970-01-01T00:00:00.000000Z\",\"end\":\"1970-01-01T00:01:00.000000Z\","
                        + "\"state\":\"closed\",\"rows\":3,\"bytes\":" + bytes + ",\"late\":0},"
                        + "{\"start\":\"1970-01-01T00:01:00.000000Z\",\"end\":\"1970-01-01T00:02:00.000000Z\","
                        + "\"state\":\"closing\",\"rows\":3,\"bytes\":null,\"late\":0},"
                        + "{\"start\":\"1970-01-01T00:02:00.000000Z\",\"end\":\"1970-01-01T00:03:00.000000Z\"," + open
                        + ","
                        + "{\"start\":\"1970-01-01T00:03:00.000000Z\",\"end\":\"1970-01-01T00:04:00.000000Z\"," + open
                        + "]");
        assertThat(request("GET", "/summaries/Plain/windows").body()).isEqualTo("Plain has no time windows\n");
        assertThat(request("GET", "/summaries/Other/windows").statusCode()).isEqualTo(404);
        assertThat(get("/summaries")).as("rows in memory").contains("\"name\":\"Traffic\",\"rows\":9,");
    }

    @Test
    void shouldBoundTheListsInMemoryAndAnswerOtherRequestsMeanwhile() throws Exception {
        Semaphore lists = counting;
        lists.drainPermits();
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            answers.add(CompletableFuture.supplyAsync(() -> {
                try {
                    return request("GET", "/summaries/Traffic/windows").statusCode();
                } catch (IOException | InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }));
        }
        Await.until(
                () -> "answers " + answers,
                () -> answers.stream().filter(CompletableFuture::isDone).count() == 4);
        assertThat(request("GET", "/healthz").statusCode()).isEqualTo(200);
        lists.release(1_000);
        assertThat(answers.stream().map(CompletableFuture::join)).containsOnly(200, 503);
        assertThat(answers.stream().filter(answer -> answer.join() == 200)).hasSize(4);
        for (int i = 0; i < 8; i++) {
            assertThat(get("/summaries/Traffic/windows")).startsWith("[");
        }
    }

    @Test
    void shouldEndListsOfSlowClientsWhenOthersWaitForThem() throws Exception {
        files = 200_000;
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                Socket client = new Socket();
                slow.add(client);
                client.setReceiveBufferSize(4_096);
                client.connect(listener.address());
                client.getOutputStream()
                        .write("GET /summaries/Traffic/windows HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(client.getInputStream().read()).isEqualTo('H');
            }
            assertThat(request("GET", "/summaries/Traffic/windows").statusCode())
                    .isEqualTo(503);
            skippedNanos.addAndGet(TimeUnit.SECONDS.toNanos(11));
            int status = 503;
            for (int tries = 0; tries < 100 && status == 503; tries++) {
                status = request("GET", "/summaries/Traffic/windows").statusCode();
            }
            assertThat(status).isEqualTo(200);
        } finally {
            for (Socket client : slow) {
                client.close();
            }
        }
    }

    @Test
    void shouldListTheNewestWindowsFirstOnThePage() throws Exception {
        String page = get("/");
        assertThat(page)
                .contains("Traffic <a class=\"quiet\" href=\"#windows-Traffic\">windows</a>")
                .contains("<h2 id=\"windows-Traffic\">Windows of Traffic</h2>")
                .contains("<p class=\"quiet\"><a href=\"/summaries/Traffic/windows\">all windows as JSON</a></p>")
                .doesNotContain("Windows of Plain", "windows-Plain");
        assertThat(cells(page))
                .containsExactly(
                        "1970-01-01T00:03:00Z 1970-01-01T00:04:00Z open 3 ",
                        "1970-01-01T00:02:00Z 1970-01-01T00:03:00Z open 3 ",
                        "1970-01-01T00:01:00Z 1970-01-01T00:02:00Z closing 3 ",
                        "1970-01-01T00:00:00Z 1970-01-01T00:01:00Z closed 3 "
                                + Files.size(path.resolve("19700101T000000Z.state")));
    }

    @Test
    void shouldLinkToTheRowsOfEachWindow() throws Exception {
        List<String> links = Pattern.compile("<a href=\"([^\"]+)\">rows</a>")
                .matcher(get("/"))
                .results()
                .map(link -> link.group(1).replace("&amp;", "&"))
                .toList();
        assertThat(links).hasSize(4);
        for (int i = 0; i < links.size(); i++) {
            String minute = "1970-01-01T00:0" + (3 - i) + ":00.000000Z";
            assertThat(get(links.get(i)).lines().skip(1)).hasSize(3).allMatch(row -> row.startsWith(minute));
        }
    }

    /** 130 windows, of which three are in memory: the page has a hundred of them, and says how many are older. */
    @Test
    void shouldBoundThePage() throws Exception {
        String none = get("/");
        files = 127;
        String page = get("/");
        List<String> cells = cells(page);
        assertThat(cells).hasSize(Page.WINDOWS_MAX);
        assertThat(cells.get(0)).startsWith("1970-01-01T02:09:00Z 1970-01-01T02:10:00Z closed 7 1,234");
        assertThat(cells.get(99)).startsWith("1970-01-01T00:30:00Z ");
        assertThat(page).contains("<p class=\"quiet\">30 older; <a href=");
        assertThat(none).doesNotContain("older");
    }

    /** The cells of each window on the page, without the link. */
    private static List<String> cells(String page) {
        return Pattern.compile("<tr><td>(.*?)</td><td><a href=\"[^\"]+\">rows</a></td></tr>")
                .matcher(page)
                .results()
                .map(row -> row.group(1).replaceAll("</td><td( class=\"n\")?>", " "))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "columns=requests&where=host == \"a\"| 4 3 3 4",
                "columns=requests&where=host == \"a\"&closed=only| 4",
                "columns=requests&where=host == \"a\"&closed=no| 3 3 4",
                "columns=requests&where=host == \"a\"&from=1970-01-01T00:01:00Z&until=1970-01-01T00:03Z| 3 3",
                "columns=requests&where=host == \"a\"&order_by=minute desc&limit=2| 4 3",
                "columns=requests&where=host == \"a\"&order_by=requests desc,minute| 4 4 3 3",
                "columns=requests&every=2m&order_by=minute| 20 20",
                "columns=requests&by=&where=minute < timestamp(\"1970-01-01T00:02:00Z\")| 20",
                "columns=host,requests&by=host&having=requests > 13&order_by=host| a,14",
            })
    void shouldPullFilesAndMemoryAsOneTable(String query, String expected) throws Exception {
        String escaped = query.replace(" == ", "%20%3D%3D%20")
                .replace(" ", "%20")
                .replace("\"", "%22")
                .replace("<", "%3C")
                .replace(">", "%3E");
        List<String> lines = get("/summaries/Traffic.csv?" + escaped).lines().toList();
        assertThat(String.join(" ", lines.subList(1, lines.size()))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Traffic.csv?from=noon| from=noon: a time in ISO 8601, which is UTC unless it has an offset; as in from=2026-11-20T00:00:00Z",
                "Traffic.csv?from=1970-01-01T02:00:00+01:00| from=1970-01-01T02:00:00 01:00: a time in ISO 8601, which is UTC unless it has an offset; as in from=2026-11-20T00:00:00Z. In a URL, write %2B for +, which stands for a space",
                "Traffic.csv?from=1970-01-01T00:01:00Z&until=1970-01-01T00:00:00Z| from=1970-01-01T00:01:00Z is after until=1970-01-01T00:00:00Z: windows start at from or later, and before until",
                "Traffic.csv?closed=maybe| closed=maybe: there are yes, no, only",
                "Traffic.csv?every=90s| every=90s: such windows do not consist of whole windows of `Traffic`, which are of 1m",
                "Traffic.csv?every=999999999d| every=999999999d: such windows do not consist of whole windows of `Traffic`, which are of 1m",
                "Traffic.csv?every=0h| every=0h: a number and a unit, s, m, h, d, w, mo or y; as in every=1h",
                "Plain.csv?closed=no| from, until and closed choose time windows, and `Plain` has none",
                "Plain.csv?every=1h| every=1h: `Plain` has no time windows",
            })
    void shouldRefuseWhatMakesNoSense(String query, String why) throws Exception {
        HttpResponse<String> response = request("GET", "/summaries/" + query);
        assertThat(response.body().strip()).isEqualTo(why);
        assertThat(response.statusCode()).isEqualTo(400);
    }

    /** A new list of files is a new cut, and so a new entity tag, although no message was processed. */
    @Test
    void shouldTakeANewCutWhenTheFilesAreOthers() throws Exception {
        HttpResponse<String> first = request("GET", "/summaries/Traffic.csv");
        String tag = first.headers().firstValue("ETag").orElseThrow();
        assertThat(request("GET", "/summaries/Traffic.csv").headers().firstValue("ETag"))
                .hasValue(tag);
        folder.expire(MINUTE);
        HttpResponse<String> second = request("GET", "/summaries/Traffic.csv");
        assertThat(second.headers().firstValue("ETag")).isPresent().isNotEqualTo(Optional.of(tag));
        assertThat(first.body().lines()).hasSize(13);
    }

    @Test
    void shouldCloseWindows() throws Exception {
        assertThat(request("POST", "/summaries/Traffic/windows/close?before=1970-01-01T00:02:00Z")
                        .body()
                        .strip())
                .isEqualTo("{\"closed\":true,\"before\":\"1970-01-01T00:02:00.000000Z\"}");
        assertThat(request("POST", "/summaries/Traffic/windows/close").body().strip())
                .isEqualTo("{\"closed\":false,\"before\":\"\"}");
        assertThat(closes).containsExactly("Traffic OptionalLong[120000000]", "Traffic OptionalLong.empty");
        assertThat(request("POST", "/summaries/Traffic/windows/close?before=noon")
                        .statusCode())
                .isEqualTo(400);
        HttpResponse<String> future = request("POST", "/summaries/Traffic/windows/close?before=2100-01-01T00:00:00Z");
        assertThat(future.statusCode()).isEqualTo(400);
        assertThat(future.body()).isEqualTo("in the future\n");
        assertThat(request("POST", "/summaries/Plain/windows/close").statusCode())
                .isEqualTo(404);
        assertThat(request("GET", "/summaries/Traffic/windows/close").statusCode())
                .isEqualTo(405);
        assertThat(closes).hasSize(2);
    }

    @Test
    void shouldNotPutAWindowWhoseChunksAreMalformed() throws Exception {
        try (Socket client =
                new Socket(InetAddress.getLoopbackAddress(), listener.address().getPort())) {
            client.setSoTimeout(10_000);
            client.getOutputStream()
                    .write(("POST /summaries/Traffic/windows HTTP/1.1\r\nHost: localhost\r\n"
                                    + "Transfer-Encoding: chunked\r\n\r\n5\r\nbytes\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            Await.until(() -> "puts " + puts, () -> puts.contains("write"));
            client.getOutputStream().write("zz\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .matches("(?s)HTTP/1.1 400 .*the window was not put: a chunk of the body is malformed\n");
        }
        Await.until(() -> "puts " + puts, () -> puts.contains("closed"));
        assertThat(puts).containsExactly("write", "closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"zz\r\n", "5\r\nbytes\r\nzz\r\n"})
    void shouldAnswerAMalformedChunkThatComesWithTheHead(String chunks) throws Exception {
        try (Socket client =
                new Socket(InetAddress.getLoopbackAddress(), listener.address().getPort())) {
            client.setSoTimeout(10_000);
            client.getOutputStream()
                    .write(("POST /summaries/Traffic/windows HTTP/1.1\r\nHost: localhost\r\n"
                                    + "Transfer-Encoding: chunked\r\n\r\n" + chunks)
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .matches("(?s)HTTP/1.1 400 .*the window was not put: a chunk of the body is malformed\n");
        }
        Await.until(() -> "puts " + puts, () -> puts.contains("closed"));
        assertThat(puts).doesNotContain("put");
    }

    @Test
    void shouldEndTheConnectionWhenARefusedBodyIsMalformed() throws Exception {
        try (Socket client =
                new Socket(InetAddress.getLoopbackAddress(), listener.address().getPort())) {
            client.setSoTimeout(10_000);
            client.getOutputStream()
                    .write(("POST /summaries/Nowhere/windows HTTP/1.1\r\nHost: localhost\r\n"
                                    + "Transfer-Encoding: chunked\r\n\r\nzz\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void shouldNotWaitForAClientThatSendsItsWindowByteByByte() throws Exception {
        try (Socket client =
                new Socket(InetAddress.getLoopbackAddress(), listener.address().getPort())) {
            client.getOutputStream()
                    .write("POST /summaries/Traffic/windows HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9999\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            Await.until(() -> "puts " + puts, () -> {
                skippedNanos.addAndGet(TimeUnit.SECONDS.toNanos(11));
                return puts.contains("closed") || !isSent(client);
            });
            Await.until(() -> "puts " + puts, () -> puts.contains("closed"));
        }
        assertThat(puts).doesNotContain("put");
    }

    private static boolean isSent(Socket client) {
        try {
            client.getOutputStream().write(1);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void shouldSayWhichMethodsAPathTakes() throws Exception {
        HttpResponse<String> answer = request("PUT", "/summaries/Traffic/windows");
        assertThat(answer.statusCode()).isEqualTo(405);
        assertThat(answer.headers().firstValue("Allow")).hasValue("GET, HEAD, POST");
        assertThat(answer.body()).isEqualTo("PUT is not allowed here; allowed: GET, HEAD, POST\n");
    }
}
