package io.summarizer.server.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.TooLongHttpContentException;

/**
 * Makes a request and its body one message. A request whose body is too large passes without its body, as one that
 * could not be decoded. So it gets its answer in turn, after the answers to the requests before it. Confined to the
 * event loop.
 */
final class RequestAggregator extends HttpObjectAggregator {
    RequestAggregator() {
        super(HttpListener.BODY_BYTES_MAX);
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext ctx, HttpMessage oversized) {
        HttpRequest request = (HttpRequest) oversized;
        DefaultFullHttpRequest refused =
                new DefaultFullHttpRequest(request.protocolVersion(), request.method(), request.uri());
        refused.headers().set(request.headers());
        refused.setDecoderResult(DecoderResult.failure(
                new TooLongHttpContentException("more than " + HttpListener.BODY_BYTES_MAX + " bytes")));
        ctx.fireChannelRead(refused);
    }
}
