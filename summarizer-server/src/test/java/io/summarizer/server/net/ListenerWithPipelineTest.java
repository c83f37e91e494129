package io.summarizer.server.net;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.summarizer.core.pipeline.EventProgram;
import io.summarizer.core.pipeline.Pipeline;
import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.pipeline.Plan;
import io.summarizer.core.queue.QueueKind;
import io.summarizer.core.queue.WaitPolicy;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.core.receive.TopicRule;
import io.summarizer.core.reject.RejectSink;
import io.summarizer.core.store.RowCode;
import io.summarizer.core.store.SummaryLayout;
import io.summarizer.server.metrics.EventCounts;
import io.summarizer.server.metrics.ServerMetrics;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;

class ListenerWithPipelineTest {
    private static final int MESSAGES = 50_000;

    /** Definitions without any event type. */
    private static final Plan NOTHING = new Plan() {
        @Override
        public List<SummaryLayout> summaries() {
            return List.of();
        }

        @Override
        public RowCode.Tree rowCode(int summary) {
            throw new IllegalArgumentException("there is no summary " + summary);
        }

        @Override
        public List<Event> events() {
            return List.of();
        }

        @Override
        public EventProgram newProgram(int event) {
            throw new IllegalArgumentException("there is no event " + event);
        }
    };

    @Test
    void whatIsSentIsCountedByListenerAndPipelineAlike() throws Exception {
        // The smallest queue, so that the connection pauses repeatedly.
        PipelineOptions options = PipelineOptions.queued(
                        new PipelineOptions.Stage(QueueKind.LBQ, 1, 1, WaitPolicy.BLOCKING),
                        new PipelineOptions.Stage(QueueKind.LBQ, 1, 1, WaitPolicy.BLOCKING))
                .withMaxRows(1000);
        Pipeline pipeline = Pipeline.start(NOTHING, options, RejectSink.NONE);
        NettyWorkers workers = new NettyWorkers("test-netty", 1);
        SyslogTcpListener listener = new SyslogTcpListener(
                TestSettings.of("syslog-tcp", TestSettings.ANY, TestSettings.MANY, null),
                workers,
                pipeline,
                () -> new SyslogFramer(Framing.AUTO, 8192, new EnvelopeParser(TopicRule.MSGID_OR_APP_NAME)));
        listener.start();
        try (ServerMetrics metrics = new ServerMetrics(EventCounts.of(pipeline.ledger()))) {
            metrics.bind(pipeline);
            metrics.bind(listener);
            try (Socket socket = new Socket(
                    listener.address().getAddress(), listener.address().getPort())) {
                String line = "<134>1 2026-11-20T00:00:00Z web03 adserver 4711 ad.click - 1,2,3\n";
                socket.getOutputStream().write(line.repeat(MESSAGES).getBytes(US_ASCII));
                socket.getOutputStream().write("<134>1 not at all\n9999 <a count above the limit".getBytes(US_ASCII));
                socket.shutdownOutput();
                assertThat(socket.getInputStream().read()).isEqualTo(-1);
            }
            listener.close();
            pipeline.drain();

            assertThat(metrics.scrape().lines())
                    .contains(
                            "summarizer_received_total " + (MESSAGES + 2.0),
                            "summarizer_unmatched_total " + (double) MESSAGES,
                            "summarizer_rejected_total{reason=\"envelope\"} 1.0",
                            "summarizer_rejected_total{reason=\"oversize\"} 1.0",
                            "summarizer_listener_messages_total{listener=\"syslog-tcp\"} " + (MESSAGES + 2.0),
                            "summarizer_connections_accepted_total{listener=\"syslog-tcp\"} 1.0",
                            "summarizer_connections_framing_lost_total{listener=\"syslog-tcp\"} 1.0",
                            "summarizer_connections_open{listener=\"syslog-tcp\"} 0.0",
                            "summarizer_extracts_abandoned_total 0.0",
                            "summarizer_invalid_utf8_total 0.0",
                            "summarizer_saturations_total 0.0",
                            "summarizer_queue_batches{pipeline=\"default\",queue=\"parse\"} 0.0",
                            "summarizer_queue_batches{pipeline=\"default\",queue=\"owner-0\"} 0.0");
        } finally {
            listener.close();
            workers.close();
            pipeline.close();
        }
    }
}
