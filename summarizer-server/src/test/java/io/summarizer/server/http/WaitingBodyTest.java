package io.summarizer.server.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WaitingBodyTest {
    private final ScheduledExecutorService client = Executors.newSingleThreadScheduledExecutor();

    @AfterEach
    void close() {
        var unused = client.shutdownNow();
    }

    /** Makes the body of a client that takes a chunk a given time after it was sent. */
    private WaitingBody body(long takesAfterMillis, Duration stall, long leastBytesPerSecond) {
        EmbeddedChannel channel = new EmbeddedChannel(new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
                ReferenceCountUtil.release(message);
                var unused = client.schedule(() -> promise.trySuccess(), takesAfterMillis, TimeUnit.MILLISECONDS);
            }
        });
        DefaultHttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        return new WaitingBody(channel, head, stall, leastBytesPerSecond);
    }

    private static void writeChunks(WaitingBody body, int chunks) throws IOException {
        byte[] chunk = new byte[ChunkedBody.CHUNK_BYTES];
        for (int i = 0; i < chunks; i++) {
            body.write(chunk, 0, chunk.length);
        }
    }

    @Test
    void aClientThatTakesTooLittleInTheLongRunIsGivenUp() throws Exception {
        int chunks = 10 * ChunkedBody.CHUNKS_IN_FLIGHT;
        try (WaitingBody patient = body(200, Duration.ofSeconds(1), 0)) {
            writeChunks(patient, chunks);
        }
        try (WaitingBody body = body(200, Duration.ofSeconds(1), 1L << 40)) {
            assertThatThrownBy(() -> writeChunks(body, chunks))
                    .isInstanceOf(StalledException.class)
                    .hasMessageContaining("took less than");
        }
    }
}
