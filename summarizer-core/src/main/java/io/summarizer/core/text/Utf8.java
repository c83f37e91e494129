package io.summarizer.core.text;

import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.Swar;

/** UTF-8 in byte arrays: validation, code points, encoding. Stateless; allocates nothing. */
public final class Utf8 {
    private Utf8() {}

    /** Whether all bytes are ASCII. */
    public static boolean isAscii(byte[] bytes, int from, int to) {
        int at = from;
        for (; at + 8 <= to; at += 8) {
            if ((Bytes.getLong(bytes, at) & Swar.HIGHS) != 0) {
                return false;
            }
        }
        for (; at < to; at++) {
            if (bytes[at] < 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether the bytes are well-formed UTF-8 (Unicode, table 3-7: no overlong forms, no surrogates). */
    public static boolean isValid(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            if (at + 8 <= to && (Bytes.getLong(bytes, at) & Swar.HIGHS) == 0) {
                at += 8;
                continue;
            }
            int lead = bytes[at++];
            if (lead >= 0) {
                continue;
            }
            lead &= 0xff;
            int more;
            int low = 0x80;
            int high = 0xbf;
            if (lead >= 0xc2 && lead <= 0xdf) {
                more = 1;
            } else if (lead >= 0xe0 && lead <= 0xef) {
                more = 2;
                low = lead == 0xe0 ? 0xa0 : low;
                high = lead == 0xed ? 0x9f : high;
            } else if (lead >= 0xf0 && lead <= 0xf4) {
                more = 3;
                low = lead == 0xf0 ? 0x90 : low;
                high = lead == 0xf4 ? 0x8f : high;
            } else {
                return false;
            }
            if (at + more > to) {
                return false;
            }
            for (; more > 0; more--) {
                int next = bytes[at++] & 0xff;
                if (next < low || next > high) {
                    return false;
                }
                low = 0x80;
                high = 0xbf;
            }
        }
        return true;
    }

    /** Number of code points in well-formed UTF-8. */
    public static int codePoints(byte[] bytes, int from, int to) {
        int count = 0;
        for (int at = from; at < to; at++) {
            // every byte except a continuation (10xxxxxx) starts a code point
            count += bytes[at] >= (byte) 0xc0 ? 1 : 0;
        }
        return count;
    }

    /**
     * Start of the code point that comes {@code count} code points after {@code from}; {@code to} when there are fewer.
     */
    public static int skip(byte[] bytes, int from, int to, long count) {
        int at = from;
        for (long left = count; left > 0 && at < to; left--) {
            at++;
            while (at < to && bytes[at] < (byte) 0xc0) {
                at++;
            }
        }
        return at;
    }

    /** Writes a code point that is no surrogate, in at most 4 bytes; returns the end of these bytes. */
    public static int put(byte[] target, int at, int codePoint) {
        int p = at;
        if (codePoint < 0x80) {
            target[p++] = (byte) codePoint;
        } else if (codePoint < 0x800) {
            target[p++] = (byte) (0xc0 | (codePoint >> 6));
            target[p++] = continuation(codePoint);
        } else if (codePoint < 0x10000) {
            target[p++] = (byte) (0xe0 | (codePoint >> 12));
            target[p++] = continuation(codePoint >> 6);
            target[p++] = continuation(codePoint);
        } else {
            target[p++] = (byte) (0xf0 | (codePoint >> 18));
            target[p++] = continuation(codePoint >> 12);
            target[p++] = continuation(codePoint >> 6);
            target[p++] = continuation(codePoint);
        }
        return p;
    }

    private static byte continuation(int bits) {
        return (byte) (0x80 | (bits & 0x3f));
    }
}
