package io.summarizer.server.service;

import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.receive.DatagramFramer;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.RelpFramer;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.server.config.ServerConfig;

/** Makes the parts of the engine of a configuration. */
final class PipelineSetup {
    /** More than the largest datagram. */
    private static final int DATAGRAM_BYTES_MAX = 64 * 1024;

    private PipelineSetup() {}

    static PipelineOptions options(ServerConfig config) {
        ServerConfig.Pipeline pipeline = config.pipeline();
        return new PipelineOptions(
                pipeline.mode(),
                pipeline.pipelines(),
                pipeline.nettyWorkers(),
                pipeline.batching().messages(),
                config.rowsMax(),
                config.values(),
                config.stateBytesMax(),
                config.dedupIds(),
                config.cutBytesMax(),
                config.queueBytesMax() - journalQueueBytes(config));
    }

    /** The share of {@code limits.queues} of the queue in front of the journal: a third. */
    static long journalQueueBytes(ServerConfig config) {
        return config.queueBytesMax() / 3;
    }

    static SyslogFramer framer(ServerConfig config, Framing framing) {
        return new SyslogFramer(
                framing,
                config.syslogTcp().messageBytesMax(),
                new EnvelopeParser(config.syslogTcp().topic()));
    }

    static DatagramFramer datagramFramer(ServerConfig.SyslogUdp udp) {
        return new DatagramFramer(DATAGRAM_BYTES_MAX, new EnvelopeParser(udp.topic()));
    }

    static RelpFramer relpFramer(ServerConfig.Relp relp) {
        return new RelpFramer(relp.messageBytesMax(), new EnvelopeParser(relp.topic()));
    }
}
