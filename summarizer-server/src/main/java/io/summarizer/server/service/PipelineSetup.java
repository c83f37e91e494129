package io.summarizer.server.service;

import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.server.config.ServerConfig;

/** From configuration to the parts of the engine. */
final class PipelineSetup {
    private PipelineSetup() {}

    static PipelineOptions options(ServerConfig config) {
        ServerConfig.Pipeline pipeline = config.pipeline();
        return new PipelineOptions(
                pipeline.mode(),
                pipeline.lanes(),
                pipeline.nettyWorkers(),
                pipeline.batching().messages(),
                config.rowsMax(),
                config.cutBytesMax());
    }

    static SyslogFramer framer(ServerConfig config, Framing framing) {
        return new SyslogFramer(
                framing,
                config.syslogTcp().messageBytesMax(),
                new EnvelopeParser(config.syslogTcp().topic()));
    }
}
