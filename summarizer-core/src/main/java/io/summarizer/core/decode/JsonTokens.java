package io.summarizer.core.decode;

import com.fasterxml.jackson.core.ErrorReportConfiguration;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.io.ContentReference;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.json.JsonReadContext;
import com.fasterxml.jackson.core.json.UTF8StreamJsonParser;
import com.fasterxml.jackson.core.sym.ByteQuadsCanonicalizer;
import com.fasterxml.jackson.core.util.BufferRecycler;
import io.summarizer.core.text.Utf8;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Jackson's tokenizer over byte ranges, one instance for any number of documents.
 *
 * <p>Jackson makes a parser for each document, and turns the text of strings and numbers into chars. Here {@link #start}
 * points the same parser at the next range, and the text of a string or number is a range of the document's own bytes,
 * copied only when it has escapes. A string that nobody asks for is passed over without a look at its characters.
 *
 * <p>After an exception the parser is as good as new at the next {@link #start}. Belongs to one decoder.
 */
final class JsonTokens extends UTF8StreamJsonParser {
    /** How deep arrays and objects may nest. */
    static final int MAX_DEPTH = 500;

    /** Distinct field names after which {@link #isSpent()} asks for a new instance: they are all remembered. */
    private static final int MAX_NAMES = 8192;

    private static final int REPLACEMENT = 0xfffd;

    private static final StreamReadConstraints CONSTRAINTS = StreamReadConstraints.builder()
            .maxNestingDepth(MAX_DEPTH)
            // The receiver bounds the document, so these do not need bounds of their own.
            .maxDocumentLength(-1)
            .maxNameLength(Integer.MAX_VALUE)
            .maxStringLength(Integer.MAX_VALUE)
            .maxNumberLength(Integer.MAX_VALUE)
            .build();

    private final JsonReadContext root = JsonReadContext.createRootContext(null);

    private JsonTokens(IOContext context, ByteQuadsCanonicalizer symbols) {
        super(context, JsonParser.Feature.collectDefaults(), null, null, symbols, new byte[0], 0, 0, 0, false);
    }

    static JsonTokens create() {
        IOContext context = new IOContext(
                CONSTRAINTS,
                StreamWriteConstraints.defaults(),
                ErrorReportConfiguration.defaults(),
                new BufferRecycler(),
                ContentReference.redacted(),
                true);
        // Names are looked up by equality, so interning them would only cost.
        int factoryFeatures = JsonFactory.Feature.collectDefaults() & ~JsonFactory.Feature.INTERN_FIELD_NAMES.getMask();
        return new JsonTokens(context, ByteQuadsCanonicalizer.createRoot().makeChild(factoryFeatures));
    }

    /** Whether a new instance should take over: this one has seen too many names, or the end within a document. */
    boolean isSpent() {
        return _closed || _symbols.size() > MAX_NAMES;
    }

    /** Points the parser at a new document, whatever became of the one before. */
    void start(byte[] bytes, int from, int to) {
        _inputBuffer = bytes;
        _inputPtr = from;
        _inputEnd = to;
        _currInputProcessed = 0;
        _currInputRow = 1;
        _currInputRowStart = from;
        _tokenIncomplete = false;
        _currToken = null;
        _nextToken = null;
        _numTypesValid = 0;
        root.reset(0, 1, 0);
        _parsingContext = root;
    }

    /** Whether nothing but white space is left after the document's end. */
    boolean isAtEnd() {
        for (int at = _inputPtr; at < _inputEnd; at++) {
            byte b = _inputBuffer[at];
            if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
                return false;
            }
        }
        return true;
    }

    /** Passes over a string; whatever is in it, it ends at the next quote that is not escaped. */
    @Override
    protected void _skipString() throws IOException {
        _tokenIncomplete = false;
        byte[] bytes = _inputBuffer;
        int end = _inputEnd;
        for (int at = _inputPtr; at < end; at++) {
            byte b = bytes[at];
            if (b == '"') {
                _inputPtr = at + 1;
                return;
            }
            at += b == '\\' ? 1 : 0;
        }
        _inputPtr = end;
        _reportInvalidEOF(" in a string", JsonToken.VALUE_STRING);
    }

    /**
     * Finds the end of a number that starts with the digit {@code first}; Jackson copies its characters, which nobody here
     * needs. What may not follow a number is no comma or bracket either, so it is noticed at the next token.
     */
    @Override
    protected JsonToken _parseUnsignedNumber(int first) throws IOException {
        byte[] bytes = _inputBuffer;
        int at = first == '0' ? _inputPtr : digitsEnd(bytes, _inputPtr);
        JsonToken token = JsonToken.VALUE_NUMBER_INT;
        if (at < _inputEnd && bytes[at] == '.') {
            at = requiredDigitsEnd(bytes, at + 1);
            token = JsonToken.VALUE_NUMBER_FLOAT;
        }
        if (at < _inputEnd && (bytes[at] | 0x20) == 'e') {
            at++;
            at += at < _inputEnd && (bytes[at] == '-' || bytes[at] == '+') ? 1 : 0;
            at = requiredDigitsEnd(bytes, at);
            token = JsonToken.VALUE_NUMBER_FLOAT;
        }
        _inputPtr = at;
        return token;
    }

    private int digitsEnd(byte[] bytes, int from) {
        int end = _inputEnd;
        int at = from;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        return at;
    }

    private int requiredDigitsEnd(byte[] bytes, int from) throws IOException {
        int end = digitsEnd(bytes, from);
        if (end == from) {
            _reportError("A number lacks digits");
        }
        return end;
    }

    /** The text of the current number token, as a reference into the document. */
    long number() {
        // Jackson notes where a token's second byte is, and stands behind a number once it is the current token.
        int from = (int) _tokenInputTotal - 1;
        return InputEvent.messageString(from, _inputPtr - from);
    }

    /**
     * Reads the current string token, which must not have been read yet.
     *
     * @param event takes the text if it has escapes
     * @return a reference into the document or the event's scratch space; its bytes are not validated
     */
    long string(InputEvent event) throws IOException, BadPayloadException {
        assert _tokenIncomplete;
        byte[] bytes = _inputBuffer;
        int from = _inputPtr;
        int end = _inputEnd;
        int escapes = 0;
        int at = from;
        for (; at < end; at++) {
            byte b = bytes[at];
            if (b == '"') {
                _tokenIncomplete = false;
                _inputPtr = at + 1;
                return escapes == 0 ? InputEvent.messageString(from, at - from) : unescape(event, bytes, from, at);
            }
            if (b == '\\') {
                escapes++;
                at++;
            } else if (b >= 0 && b < ' ') {
                throw new BadPayloadException("a control character in a string");
            }
        }
        _inputPtr = end;
        _reportInvalidEOF(" in a string", JsonToken.VALUE_STRING);
        throw new AssertionError();
    }

    private static long unescape(InputEvent event, byte[] bytes, int from, int to) throws BadPayloadException {
        // No escape is shorter than the UTF-8 that it stands for.
        if (!event.reserveScratch(to - from)) {
            throw new BadPayloadException("too long a string");
        }
        byte[] scratch = event.scratch();
        int start = event.scratchLimit();
        int target = start;
        boolean repaired = false;
        for (int at = from; at < to; ) {
            byte b = bytes[at++];
            if (b != '\\') {
                scratch[target++] = b;
                continue;
            }
            byte escape = bytes[at++];
            if (escape != 'u') {
                scratch[target++] = simpleEscape(escape);
                continue;
            }
            int character = hex(bytes, at, to);
            at += 4;
            if (Character.isHighSurrogate((char) character)
                    && at + 6 <= to
                    && bytes[at] == '\\'
                    && bytes[at + 1] == 'u'
                    && Character.isLowSurrogate((char) hex(bytes, at + 2, to))) {
                character = Character.toCodePoint((char) character, (char) hex(bytes, at + 2, to));
                at += 6;
            } else if (Character.isSurrogate((char) character)) {
                character = REPLACEMENT;
                repaired = true;
            }
            target = Utf8.put(scratch, target, character);
        }
        event.scratchLimit(target);
        if (repaired) {
            event.countRepaired();
        }
        return InputEvent.scratchString(start, target - start);
    }

    private static byte simpleEscape(byte escape) throws BadPayloadException {
        return switch (escape) {
            case '"', '\\', '/' -> escape;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> throw new BadPayloadException("an unknown escape in a string");
        };
    }

    private static int hex(byte[] bytes, int from, int to) throws BadPayloadException {
        int value = 0;
        for (int at = from; at < from + 4; at++) {
            int digit = at < to ? Character.digit(bytes[at], 16) : -1;
            if (digit < 0) {
                throw new BadPayloadException("an unknown escape in a string");
            }
            value = value << 4 | digit;
        }
        return value;
    }

    /** The reason that an exception gives, cut short. */
    static String reason(@Nullable String message) {
        if (message == null) {
            return "not JSON";
        }
        int line = message.indexOf('\n');
        String first = line < 0 ? message : message.substring(0, line);
        return "not JSON: " + (first.length() > 160 ? first.substring(0, 160) + "..." : first);
    }
}
