package io.summarizer.server.http;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;

/**
 * A handler that removes {@code content-length} from answers with the status 304. Such an answer has no body, so the
 * connection can stay open. But Netty's {@code HttpServerKeepAliveHandler} keeps a connection open only if the answer
 * has a length. In an answer 304, the length would have to be that of the rows (RFC 9110, section 8.6). Stateless.
 */
@Sharable
final class NotModifiedEncoder extends ChannelOutboundHandlerAdapter {
    static final NotModifiedEncoder INSTANCE = new NotModifiedEncoder();

    private NotModifiedEncoder() {}

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof HttpResponse response && response.status().equals(HttpResponseStatus.NOT_MODIFIED)) {
            response.headers().remove(HttpHeaderNames.CONTENT_LENGTH);
        }
        var unused = context.write(message, promise);
    }
}
