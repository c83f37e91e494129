package io.summarizer.server.replay;

/** Framing of messages in a file or stream. */
public enum FrameFormat {
    /** One message on each line. */
    LF,
    /** Each message follows its length in bytes and a space (RFC 6587, 3.4.1). */
    OCTET;

    private static final int DIGITS_MAX = 9;
    private static final int FRAMES_CHECKED = 100;
    private static final int FRAMES_CONVINCING = 3;

    /**
     * Detects the format from the first bytes. The method reads up to {@value #FRAMES_CHECKED} frames as counted
     * frames. The format is octet-counted if each of these frames begins with a count and a space, or if at least the
     * first {@value #FRAMES_CONVINCING} do, and these begin with the {@code <} of syslog. The reader then reports the
     * first frame that does not.
     */
    public static FrameFormat detect(byte[] bytes, int length) {
        long at = 0;
        int convincing = 0;
        for (int frame = 0; frame < FRAMES_CHECKED && at < length; frame++) {
            int position = (int) at;
            long count = 0;
            int digits = 0;
            while (position < length && digits < DIGITS_MAX && bytes[position] >= '0' && bytes[position] <= '9') {
                count = count * 10 + (bytes[position++] - '0');
                digits++;
            }
            if (position == length && digits > 0 && frame > 0) {
                return OCTET; // the bytes end within a count
            }
            if (count == 0 || bytes[(int) at] == '0' || position == length || bytes[position] != ' ') {
                return convincing < FRAMES_CONVINCING ? LF : OCTET;
            }
            if (convincing == frame && position + 1 < length && bytes[position + 1] == '<') {
                convincing++;
            }
            at = position + 1 + count;
            if (at < length && bytes[(int) at] == '\n') {
                at++; // some senders end counted frames with a line feed, too
            }
        }
        return length == 0 ? LF : OCTET;
    }
}
