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
import io.summarizer.core.bytes.Bytes;
import io.summarizer.core.bytes.Swar;
import io.summarizer.core.text.Digits;
import io.summarizer.core.text.Utf8;
import java.io.IOException;

/**
 * A variant of Jackson's parser. It reads ranges of bytes, and moves the parser's cursor itself. One instance parses
 * any number of documents.
 *
 * <p>Jackson makes a parser for each document, looks up a String for each name, and makes a token even of an unwanted
 * value. Here, {@link #start} points the same parser at the next range, and the caller decides what to read next: a
 * {@link #name}, a number, a value to {@link #skipValue() skip}. Names are compared in place. The text of a string or
 * number is a range of the document's own bytes; only text with escapes is copied. Names with escapes or in other
 * scripts are left to Jackson's own code. Everything that is not JSON is also left to Jackson, because Jackson has good
 * error messages.
 *
 * <p>Positions are bytes of the document's array. After an exception the next {@link #start} resets the parser. Belongs
 * to one decoder. Cost: EventProgramBenchmark.
 *
 * <p>The class is longer than 500 lines, because each method works on the input pointer and buffers of Jackson's
 * parser, which only a subclass can access.
 */
/*
 * The cursor is Jackson's _inputPtr. In _parsingContext, Jackson records its place in the document. This class does not
 * keep _parsingContext up to date, because that would cost an object and several stores at each level. Only nextToken()
 * reads _parsingContext. This class calls nextToken() only for errors, and in the root context, where any single value
 * is allowed.
 */
final class JsonTokens extends UTF8StreamJsonParser {
    /** Deepest nesting of arrays and objects. */
    static final int MAX_DEPTH = 500;

    /**
     * Number of distinct field names after which {@link #isSpent()} asks for a new instance, because Jackson remembers
     * all names.
     */
    private static final int MAX_NAMES = 8192;

    /**
     * Number of bytes of distinct field names after which {@link #isSpent()} asks for a new instance. A bound on the
     * number of names would not suffice, because a name may be as long as a document.
     */
    private static final int MAX_NAMES_BYTES = 4 << 20;

    /** Most digits that {@link #shortInteger} reads. */
    private static final int MAX_DIGITS = 15;

    private static final int REPLACEMENT = 0xfffd;

    private static final StreamReadConstraints CONSTRAINTS = StreamReadConstraints.builder()
            .maxNestingDepth(MAX_DEPTH)
            // The receiver bounds the document, so no further bounds are needed.
            .maxDocumentLength(-1)
            .maxNameLength(Integer.MAX_VALUE)
            .maxStringLength(Integer.MAX_VALUE)
            .maxNumberLength(Integer.MAX_VALUE)
            .build();

    /** Factors that turn the digits of a short decimal into millionths, by the number of decimal places. */
    private static final long[] MILLIONTHS = {1_000_000, 100_000, 10_000, 1_000, 100, 10, 1};

    /** Stands for the byte after the last byte of the document. */
    private static final int END = Integer.MIN_VALUE;

    private final JsonReadContext root = JsonReadContext.createRootContext(null);

    /** For each level of a skipped value, whether this level is an object. */
    private final boolean[] objects = new boolean[MAX_DEPTH + 1];

    private int depth;
    /** Total bytes of the names that Jackson remembers. A name counts in the form in which it stood in the document. */
    private long namesBytes;

    private int textFrom;
    private long integer;
    private int places;

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
        // Names are looked up by equality, so interning would only cost time.
        int factoryFeatures = JsonFactory.Feature.collectDefaults() & ~JsonFactory.Feature.INTERN_FIELD_NAMES.getMask();
        return new JsonTokens(context, ByteQuadsCanonicalizer.createRoot().makeChild(factoryFeatures));
    }

    /**
     * Whether a new instance should replace this one, because this one has seen too many names, or because a document
     * ended too early.
     */
    boolean isSpent() {
        return _closed || _symbols.size() > MAX_NAMES || namesBytes > MAX_NAMES_BYTES;
    }

    /** Points the parser at a new document, in any state. */
    void start(byte[] bytes, int from, int to) {
        _inputBuffer = bytes;
        _inputPtr = from;
        _inputEnd = to;
        _currInputProcessed = 0;
        _currInputRow = 1;
        _currInputRowStart = from;
        depth = 0;
    }

    /** Position of the current byte. */
    int position() {
        return _inputPtr;
    }

    /**
     * Moves back to an earlier position. At that position, the nesting depth was the same as now, or one level more.
     */
    void position(int position) {
        _inputPtr = position;
    }

    // Structure

    /** Moves to the next byte that is not white space. Returns whether there is such a byte. */
    boolean hasMore() {
        int at = afterSpace(_inputBuffer, _inputPtr, _inputEnd);
        _inputPtr = at;
        return at < _inputEnd;
    }

    /** Moves to the next byte that is not white space, and returns it. */
    byte peek() throws IOException {
        int at = _inputPtr;
        byte b;
        if (at < _inputEnd && (b = _inputBuffer[at]) > ' ') {
            return b;
        }
        if (!hasMore()) {
            _reportInvalidEOF(" within an object or array", JsonToken.NOT_AVAILABLE);
        }
        return _inputBuffer[_inputPtr];
    }

    /**
     * Enters the object or array whose bracket is the current byte. Returns whether there is anything before {@code
     * close}.
     */
    boolean open(char close) throws IOException, BadPayloadException {
        _inputPtr++;
        depth = deeper(depth);
        if (peek() == close) {
            _inputPtr++;
            depth--;
            return false;
        }
        return true;
    }

    private static int deeper(int depth) throws BadPayloadException {
        if (depth == MAX_DEPTH) {
            throw new BadPayloadException("not JSON: nested more than " + MAX_DEPTH + " deep");
        }
        return depth + 1;
    }

    /**
     * Moves on after a value. If a comma follows, moves past it and returns true. If {@code close} follows, moves past
     * it, out of the object or array, and returns false.
     */
    boolean next(char close) throws IOException {
        byte b = peek();
        if (b == ',') {
            _inputPtr++;
            return true;
        }
        if (b != close) {
            throw noSeparator(_inputPtr, close == '}');
        }
        _inputPtr++;
        depth--;
        return false;
    }

    private IOException noSeparator(int at, boolean inObject) throws IOException {
        if (at >= _inputEnd) {
            _inputPtr = _inputEnd;
            _reportInvalidEOF(" within an object or array", JsonToken.NOT_AVAILABLE);
        }
        _inputPtr = at + 1;
        _reportUnexpectedChar(
                _inputBuffer[at] & 0xff,
                "was expecting comma to separate " + (inObject ? "Object entries" : "Array elements"));
        throw new AssertionError();
    }

    /**
     * Reads a name and its colon.
     *
     * @param expected the name to compare first: the name that followed the previous name last time
     */
    JsonName name(JsonMessage message, JsonName expected) throws IOException {
        int at = _inputPtr;
        byte[] bytes = _inputBuffer;
        // Most writers put one space or none after a comma.
        at += at < _inputEnd && bytes[at] == ' ' ? 1 : 0;
        if (expected.isAt(bytes, at, _inputEnd)) {
            _inputPtr = at + expected.length();
            return expected;
        }
        return lookUp(message);
    }

    private JsonName lookUp(JsonMessage message) throws IOException {
        openName();
        byte[] bytes = _inputBuffer;
        int from = _inputPtr;
        int to = from;
        byte b = 0;
        int seen = 0;
        while (to < _inputEnd && (b = bytes[to]) != '"' && b != '\\' && (b >= ' ' || b < 0)) {
            seen |= b;
            to++;
        }
        JsonName name = null;
        if (to < _inputEnd && b == '"') {
            name = message.find(bytes, from, to);
            if (name == null && seen >= 0) {
                name = message.learn(bytes, from, to);
            }
        }
        if (name != null) {
            _inputPtr = to + 1;
        } else {
            // Escaped, or perhaps invalid UTF-8.
            name = message.find(rememberedName());
        }
        colon();
        return name;
    }

    /**
     * Reads the name whose first byte is the current byte. Takes the name from Jackson's table; a new name is added to
     * the table first.
     */
    private String rememberedName() throws IOException {
        int from = _inputPtr;
        int names = _symbols.size();
        String name = _parseName('"');
        if (_symbols.size() > names) {
            namesBytes += _inputPtr - from;
        }
        return name;
    }

    /** Moves past the quote that starts a name. */
    void openName() throws IOException {
        byte b = peek();
        _inputPtr++;
        if (b != '"') {
            _reportUnexpectedChar(b & 0xff, "was expecting double-quote to start field name");
        }
    }

    /** Moves past a colon. */
    void colon() throws IOException {
        byte b = peek();
        _inputPtr++;
        if (b != ':') {
            _reportUnexpectedChar(b & 0xff, "was expecting a colon to separate field name and value");
        }
    }

    // Unwanted values

    /** Skips a value. Checks brackets, separators, numbers and literals, but not the insides of strings. */
    void skipValue() throws IOException, BadPayloadException {
        byte[] bytes = _inputBuffer;
        int at = _inputPtr;
        if (at < _inputEnd && bytes[at] == '"') {
            _inputPtr = stringEnd(bytes, at + 1, _inputEnd);
        } else if (!shortInteger(MAX_DIGITS)) {
            skipAny();
        }
    }

    private void skipAny() throws IOException, BadPayloadException {
        byte[] bytes = _inputBuffer;
        int end = _inputEnd;
        int at = _inputPtr;
        int outer = this.depth;
        int depth = outer;
        while (true) {
            at = afterSpace(bytes, at, end);
            int b = at < end ? bytes[at] : END;
            switch (b) {
                case '"' -> at = stringEnd(bytes, at + 1, end);
                case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> at = numberEnd(bytes, at, end);
                case 't', 'f', 'n' -> at = literalEnd(at);
                case '{', '[' -> {
                    boolean object = b == '{';
                    at = afterSpace(bytes, at + 1, end);
                    depth = deeper(depth);
                    if (at >= end || bytes[at] != (object ? '}' : ']')) {
                        objects[depth] = object;
                        at = object ? skipName(bytes, at, end) : at;
                        continue;
                    }
                    at++;
                    depth--;
                }
                default -> throw unexpected(at);
            }
            while (true) {
                if (depth == outer) {
                    _inputPtr = at;
                    return;
                }
                boolean inObject = objects[depth];
                at = afterSpace(bytes, at, end);
                b = at < end ? bytes[at] : END;
                at++;
                if (b == ',') {
                    at = inObject ? skipName(bytes, at, end) : at;
                    break;
                }
                if (b != (inObject ? '}' : ']')) {
                    throw noSeparator(at - 1, inObject);
                }
                depth--;
            }
        }
    }

    /** The position after a name and its colon. Moves the input pointer only to report an error. */
    private int skipName(byte[] bytes, int from, int end) throws IOException {
        int quote = afterSpace(bytes, from, end);
        if (quote >= end || bytes[quote] != '"') {
            _inputPtr = quote;
            openName();
        }
        int colon = afterSpace(bytes, stringEnd(bytes, quote + 1, end), end);
        if (colon >= end || bytes[colon] != ':') {
            _inputPtr = colon;
            colon();
        }
        return colon + 1;
    }

    /** The position after the closing quote of a string. Does not check the contents of the string. */
    private int stringEnd(byte[] bytes, int from, int end) throws IOException {
        int at = from;
        while (true) {
            at = Swar.indexOf((byte) '"', bytes, at, end);
            if (at < 0) {
                throw unclosed();
            }
            if (bytes[at - 1] != '\\' || !isEscaped(bytes, from, at)) {
                return at + 1;
            }
            at++;
        }
    }

    /** Whether an odd number of backslashes stands before {@code at}. */
    private static boolean isEscaped(byte[] bytes, int from, int at) {
        int first = at;
        while (first > from && bytes[first - 1] == '\\') {
            first--;
        }
        return (at - first & 1) != 0;
    }

    private IOException unclosed() throws IOException {
        _inputPtr = _inputEnd;
        _reportInvalidEOF(" in a string", JsonToken.VALUE_STRING);
        throw new AssertionError();
    }

    /** Has Jackson describe the error in the value at {@code at}. */
    private IOException unexpected(int at) throws IOException {
        if (at >= _inputEnd) {
            _inputPtr = _inputEnd;
            _reportInvalidEOF(" within an object or array", JsonToken.NOT_AVAILABLE);
        }
        _inputPtr = at;
        _tokenIncomplete = false;
        _currToken = null;
        _nextToken = null;
        root.reset(0, 1, 0);
        _parsingContext = root;
        nextToken();
        _reportError("Unexpected text");
        throw new AssertionError();
    }

    private static int afterSpace(byte[] bytes, int from, int end) {
        int at = from;
        byte b;
        while (at < end && (b = bytes[at]) <= ' ' && (b == ' ' || b == '\n' || b == '\r' || b == '\t')) {
            at++;
        }
        return at;
    }

    // Scalars

    /** Moves past a literal that starts with the current byte. Returns whether the literal is complete. */
    boolean literal(String text) {
        if (!isLiteral(_inputPtr, text)) {
            return false;
        }
        _inputPtr += text.length();
        return true;
    }

    private boolean isLiteral(int from, String text) {
        int length = text.length();
        if (length > _inputEnd - from) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (_inputBuffer[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private int literalEnd(int from) throws IOException {
        if (isLiteral(from, "true") || isLiteral(from, "null")) {
            return from + 4;
        }
        if (isLiteral(from, "false")) {
            return from + 5;
        }
        throw unexpected(from);
    }

    /** Describes the error in the value that starts with the current byte. */
    IOException unexpected() throws IOException {
        return unexpected(_inputPtr);
    }

    private int numberEnd(byte[] bytes, int from, int end) throws IOException {
        int first = bytes[from] == '-' ? from + 1 : from;
        // Only a comma or a bracket may follow a number. The next step expects one of these, and detects any other
        // byte.
        int at = first < end && bytes[first] == '0' ? first + 1 : requiredDigitsEnd(bytes, first, end);
        if (at < end && bytes[at] == '.') {
            at = requiredDigitsEnd(bytes, at + 1, end);
        }
        if (at < end && (bytes[at] | 0x20) == 'e') {
            at++;
            at += at < end && (bytes[at] == '-' || bytes[at] == '+') ? 1 : 0;
            at = requiredDigitsEnd(bytes, at, end);
        }
        return at;
    }

    private int requiredDigitsEnd(byte[] bytes, int from, int end) throws IOException {
        int at = from;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        if (at == from) {
            _inputPtr = from;
            _reportError("A number lacks digits");
        }
        return at;
    }

    /**
     * Reads the number whose first byte is the current byte. Returns a reference to the number's text in the document.
     */
    long number() throws IOException {
        int from = _inputPtr;
        _inputPtr = numberEnd(_inputBuffer, from, _inputEnd);
        return InputEvent.messageString(from, _inputPtr - from);
    }

    /**
     * Reads an integer of up to 15 digits without sign, fraction or exponent; {@link #integer()} then returns the
     * integer. When the value at the current byte is of another kind, reads nothing and returns false.
     *
     * @param maxDigits maximum number of digits accepted
     */
    boolean shortInteger(int maxDigits) {
        byte[] bytes = _inputBuffer;
        int from = _inputPtr;
        if (from > bytes.length - 3 * Digits.WORD) {
            return false;
        }
        long word = Bytes.getLong(bytes, from);
        int digits = Digits.count(word);
        long value = Digits.value(word, digits);
        if (digits == Digits.WORD) {
            word = Bytes.getLong(bytes, from + Digits.WORD);
            int more = Digits.count(word);
            value = value * Digits.power(more) + Digits.value(word, more);
            digits += more;
        }
        int at = from + digits;
        byte follower = bytes[at];
        if (digits == 0
                || digits > maxDigits
                || at > _inputEnd
                || follower == '.'
                || (follower | 0x20) == 'e'
                || (bytes[from] == '0' && digits > 1)) {
            return false;
        }
        integer = value;
        _inputPtr = at;
        return true;
    }

    /**
     * Reads a number without sign and exponent, with up to 7 digits before the point and up to 6 digits after it;
     * {@link #micros()} and {@link #number64()} then return the number. When the value at the current byte is of
     * another kind, reads nothing and returns false.
     */
    boolean shortDecimal() {
        byte[] bytes = _inputBuffer;
        int from = _inputPtr;
        if (from > bytes.length - 3 * Digits.WORD) {
            return false;
        }
        long word = Bytes.getLong(bytes, from);
        int whole = Digits.count(word);
        if (whole == 0 || whole == Digits.WORD || (bytes[from] == '0' && whole > 1)) {
            return false;
        }
        long value = Digits.value(word, whole);
        int at = from + whole;
        int places = 0;
        if (bytes[at] == '.') {
            at++;
            word = Bytes.getLong(bytes, at);
            places = Digits.count(word);
            if (places == 0 || places >= MILLIONTHS.length) {
                return false;
            }
            value = value * Digits.power(places) + Digits.value(word, places);
            at += places;
        }
        if (at > _inputEnd || (bytes[at] | 0x20) == 'e') {
            return false;
        }
        integer = value;
        this.places = places;
        _inputPtr = at;
        return true;
    }

    /** The result of {@link #shortInteger}. */
    long integer() {
        return integer;
    }

    /** The result of {@link #shortDecimal()}, in millionths. */
    long micros() {
        return integer * MILLIONTHS[places];
    }

    /** The result of {@link #shortDecimal()}, as the nearest double. */
    double number64() {
        return (double) integer / Digits.power(places);
    }

    /**
     * Reads the string whose first byte after the quote is the current byte.
     *
     * @param event the event; its scratch space takes the text if the text has escapes
     * @return a reference into the document or the event's scratch space; its bytes are not validated
     */
    long string(InputEvent event) throws IOException, BadPayloadException {
        byte[] bytes = _inputBuffer;
        int from = _inputPtr;
        int end = _inputEnd;
        boolean escaped = false;
        int at = from;
        while (true) {
            at = Swar.indexOfQuoteBackslashOrControl(bytes, at, end);
            if (at < 0) {
                throw unclosed();
            }
            byte b = bytes[at];
            if (b == '"') {
                _inputPtr = at + 1;
                return escaped ? unescape(event, bytes, from, at) : InputEvent.messageString(from, at - from);
            }
            if (b != '\\') {
                throw new BadPayloadException("a control character in a string");
            }
            escaped = true;
            at += 2;
        }
    }

    /**
     * Reads a string whose quote is the current byte, if the string is ASCII without escapes. The string is then
     * between {@link #textFrom} and {@link #textTo}. When the string is of another kind, reads nothing and returns
     * false.
     */
    boolean plainString() {
        byte[] bytes = _inputBuffer;
        int from = _inputPtr + 1;
        int at = Swar.indexOfStringEndOrNonAscii(bytes, from, _inputEnd);
        if (at < 0 || bytes[at] != '"') {
            return false;
        }
        textFrom = from;
        _inputPtr = at + 1;
        return true;
    }

    /** Start of the result of {@link #plainString}. */
    int textFrom() {
        return textFrom;
    }

    /** End of the result of {@link #plainString}, before the closing quote. Valid until the next byte is read. */
    int textTo() {
        return _inputPtr - 1;
    }

    /** The array with the document. */
    byte[] bytes() {
        return _inputBuffer;
    }

    private static long unescape(InputEvent event, byte[] bytes, int from, int to) throws BadPayloadException {
        // The UTF-8 of a character is never longer than its escape.
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
}
