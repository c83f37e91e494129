package io.summarizer.server.http;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.summarizer.core.bytes.BlockOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Compression of the body of an answer. */
enum Encoding {
    /** No compression. */
    IDENTITY("", ""),
    /** Gzip. It takes twice as much work as writing the rows, and shrinks them to a quarter. */
    GZIP("gzip", "-gz"),
    /** Zstandard. It takes a fifth of the work of gzip, for about the same size. */
    ZSTD("zstd", "-zst");

    private static final int BUFFER_BYTES = 32 * 1024;
    private static final int ZSTD_LEVEL = 1;
    /** Largest number of parts of a header that are read. */
    private static final int ITEMS_MAX = 32;

    private final String token;
    private final String suffix;

    Encoding(String token, String suffix) {
        this.token = token;
        this.suffix = suffix;
    }

    /** The word in headers; empty when there is no compression. */
    String token() {
        return token;
    }

    /** Suffix that distinguishes entity tags of this encoding. */
    String suffix() {
        return suffix;
    }

    /**
     * Returns the best encoding that a client accepts (RFC 9110, 12.5.3), by the client's weights. When the weights are
     * equal, zstd comes before gzip.
     *
     * @param accepted the client's Accept-Encoding header; empty when there is no such header
     */
    static Encoding of(String accepted) {
        double gzip = -1;
        double zstd = -1;
        double others = -1;
        double identity = 0.0001; // the lowest weight, unless the client says otherwise
        for (String item : accepted.toLowerCase(Locale.ROOT).split(",", ITEMS_MAX)) {
            String[] parts = item.split(";", 2);
            double weight = parts.length == 1 ? 1 : weight(parts[1]);
            switch (parts[0].strip()) {
                case "gzip", "x-gzip" -> gzip = weight;
                case "zstd" -> zstd = weight;
                case "identity" -> identity = weight;
                case "*" -> others = weight;
                default -> {}
            }
        }
        gzip = gzip < 0 ? others : gzip;
        if (zstd > 0 && zstd >= gzip && zstd >= identity) {
            return ZSTD;
        }
        return gzip > 0 && gzip >= identity ? GZIP : IDENTITY;
    }

    private static double weight(String parameter) {
        String text = parameter.strip();
        if (!text.startsWith("q=")) {
            return 1;
        }
        try {
            double weight = Double.parseDouble(text.substring(2));
            return weight >= 0 && weight <= 1 ? weight : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /**
     * Makes a stream that compresses into {@code out}. If the stream is closed before {@link Body#finish}, the close
     * writes nothing.
     */
    Body into(OutputStream out) throws IOException {
        Valve valve = new Valve(out);
        return new Body(
                valve,
                switch (this) {
                    case IDENTITY -> valve;
                    case GZIP -> new FastGzip(valve);
                    case ZSTD -> new ZstdOutputStreamNoFinalizer(valve, ZSTD_LEVEL);
                });
    }

    /** The body of one answer. */
    static final class Body extends FilterOutputStream {
        private final Valve valve;

        private Body(Valve valve, OutputStream compressor) {
            super(compressor);
            this.valve = valve;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
        }

        /** Writes the rest of the compressor's output, and the end of the compressed data. */
        void finish() throws IOException {
            out.close();
        }

        /** Frees the compressor; discards its later output. */
        @Override
        public void close() throws IOException {
            valve.shut = true;
            out.close();
        }
    }

    /**
     * A stream that passes bytes on to a target until the stream is shut. After that, the stream drops bytes. Closing
     * the stream does not close the target.
     */
    private static final class Valve extends BlockOutputStream {
        private final OutputStream out;
        private boolean shut;

        Valve(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (!shut) {
                out.write(bytes, offset, length);
            }
        }
    }

    /** Gzip at its fastest: higher levels cost the server much time for few bytes. */
    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, BUFFER_BYTES);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }
}
