package io.summarizer.server.service;

import io.summarizer.core.pipeline.PipelineOptions;
import io.summarizer.core.receive.EnvelopeParser;
import io.summarizer.core.receive.Framing;
import io.summarizer.core.receive.SyslogFramer;
import io.summarizer.server.config.ServerConfig;
import io.summarizer.server.config.ServerConfig.Stage;

/** From configuration to the parts of the engine. */
final class PipelineSetup {
    private PipelineSetup() {}

    static PipelineOptions options(ServerConfig config) {
        Stage parse = config.pipeline().parse();
        Stage summarize = config.pipeline().summarize();
        return new PipelineOptions(
                parse.queue(),
                parse.capacity(),
                parse.workers(),
                parse.waitPolicy(),
                summarize.queue(),
                summarize.capacity(),
                summarize.workers(),
                summarize.waitPolicy(),
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
