package io.summarizer.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalTextTest {
    private static final BigInteger INT64_MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger INT64_MAX = BigInteger.valueOf(Long.MAX_VALUE);
    private static final BigInteger UINT64_MAX = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    private final DecimalText decimal = new DecimalText();

    private boolean scan(String text) {
        byte[] bytes = ("x" + text + "1").getBytes(StandardCharsets.ISO_8859_1);
        return decimal.scan(bytes, 1, bytes.length - 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "+",
                ".",
                "-.",
                "e5",
                ".e5",
                "1e",
                "1e+",
                "1e-",
                "1.2.3",
                "1,5",
                " 1",
                "1 ",
                "0x10",
                "NaN",
                "Infinity",
                "1d",
                "1f",
                "--1",
                "1e5.5",
                "1_000",
                "123456789012345678901234x",
                "1e5e5",
                "1-",
                "é"
            })
    void refusesWhatIsNoDecimalNumber(String text) {
        assertThat(scan(text)).as(text).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "0.0000005, 1",
        "-0.0000005, -1",
        "0.00000049999999999999999999999, 0",
        "1.23, 1230000",
        "9223372036854.775807, 9223372036854775807",
        "9223372036854.7758074, 9223372036854775807",
        "9223372036854.7758075, -9223372036854775808",
        "-9223372036854.775807, -9223372036854775807",
        "-9223372036854.775808, -9223372036854775808",
        "1e300, -9223372036854775808",
        "-1e300, -9223372036854775808",
        "1e-300, 0",
        "5e-7, 1",
        "4.2e-3, 4200",
        "0.0000000000000000000000000000000000001e37, 1000000",
        "1e999999999999, -9223372036854775808",
        "0e999999999999, 0",
        "12345678901234567890123e-20, 123456789",
        "00000000000000000000000000000001, 1000000"
    })
    void readsCurrencyExactlyOrSaysThatItIsTooLarge(String text, long micros) {
        assertThat(scan(text)).isTrue();
        assertThat(decimal.toScaled(6)).isEqualTo(micros);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9223372036854775807",
                "-9223372036854775808",
                "9223372036854775808",
                "-9223372036854775809",
                "18446744073709551615",
                "18446744073709551616",
                "18446744073709551615.0",
                "1844674407370955161.5e1",
                "1844674407370955161.6e1",
                "184467440737095516150e-1",
                "1.0",
                "1e3",
                "1.5",
                "1e-1",
                "10e-1",
                "0e5",
                "-0",
                "-0.0",
                "1e19",
                "2e19",
                "1e18",
                "123456789012345678901e-2",
                "1.00000000000000000000000001",
                "99999999999999999999",
                "12345678901234567890.5",
                "1e20",
                "0.1e1",
                "100000000000000000000e-20"
            })
    void knowsWhichNumbersAreIntegers(String text) {
        assertIntegers(text);
    }

    private static long fitting(BigDecimal scaled) {
        BigInteger integer = scaled.unscaledValue();
        return integer.bitLength() > 63 ? DecimalText.TOO_LARGE : integer.longValue();
    }

    @Test
    void agreesWithBigDecimalOnRandomNumbers() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            String text = randomNumber(random);
            BigDecimal exact = new BigDecimal(text);
            assertThat(scan(text)).as("%s, seed %d", text, seed).isTrue();
            assertThat(decimal.toScaled(6))
                    .as("%s, seed %d", text, seed)
                    .isEqualTo(fitting(exact.setScale(6, RoundingMode.HALF_UP)));
            assertThat(decimal.toScaledFloor(3))
                    .as("%s, seed %d", text, seed)
                    .isEqualTo(fitting(exact.setScale(3, RoundingMode.FLOOR)));
            assertThat(decimal.toDouble()).as("%s, seed %d", text, seed).isEqualTo(Double.parseDouble(text));
            assertIntegers(text);
        }
    }

    private void assertIntegers(String text) {
        BigDecimal exact = new BigDecimal(text);
        boolean integral = exact.signum() == 0 || exact.stripTrailingZeros().scale() <= 0;
        BigInteger integer = integral ? exact.toBigInteger() : BigInteger.ZERO;
        assertThat(scan(text)).as(text).isTrue();
        boolean fits = integral && integer.compareTo(INT64_MIN) >= 0 && integer.compareTo(INT64_MAX) <= 0;
        assertThat(decimal.toInt64()).as(text).isEqualTo(fits);
        if (fits) {
            assertThat(decimal.value()).as(text).isEqualTo(integer.longValue());
        }
        boolean fitsUnsigned = integral && integer.signum() >= 0 && integer.compareTo(UINT64_MAX) <= 0;
        assertThat(decimal.toUint64()).as(text).isEqualTo(fitsUnsigned);
        if (fitsUnsigned) {
            assertThat(decimal.value()).as(text).isEqualTo(integer.longValue());
        }
    }

    private static String randomNumber(Random random) {
        StringBuilder text = new StringBuilder();
        if (random.nextInt(3) == 0) {
            text.append('-');
        }
        int before = random.nextInt(random.nextInt(8) == 0 ? 30 : 12);
        for (int i = 0; i < before; i++) {
            text.append(digit(random));
        }
        int after = before == 0 ? 1 + random.nextInt(10) : random.nextInt(random.nextInt(8) == 0 ? 30 : 10);
        if (after > 0) {
            text.append('.');
        }
        for (int i = 0; i < after; i++) {
            text.append(digit(random));
        }
        if (random.nextInt(4) == 0) {
            text.append(random.nextBoolean() ? 'e' : 'E').append(random.nextInt(60) - 30);
        }
        return text.toString();
    }

    private static char digit(Random random) {
        // Mostly zeros, fives and nines: where rounding and trimming fail.
        return switch (random.nextInt(6)) {
            case 0, 1 -> '0';
            case 2 -> '5';
            case 3 -> '9';
            default -> (char) ('0' + random.nextInt(10));
        };
    }
}
