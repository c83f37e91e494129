package io.summarizer.core.text;

/**
 * Dates of the proleptic Gregorian calendar, packed into a long, and conversions to and from days since 1970-01-01. The
 * code computes with eras of 400 years. Years start on 1 March, so that the leap day ends a year (H. Hinnant,
 * "chrono-compatible low-level date algorithms", 2013). Stateless; allocates nothing.
 */
public final class CivilDate {
    private static final int DAYS_PER_ERA = 146_097;
    /** Days from 0000-03-01 to 1970-01-01. */
    private static final int EPOCH = 719_468;

    private CivilDate() {}

    /**
     * The packed date that is {@code days} days after 1970-01-01. Read it with {@link #year}, {@link #month} and {@link
     * #day}.
     */
    public static long of(long days) {
        long shifted = days + EPOCH;
        long era = Math.floorDiv(shifted, DAYS_PER_ERA);
        int ofEra = (int) (shifted - era * DAYS_PER_ERA);
        int yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365;
        int ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int fromMarch = (5 * ofYear + 2) / 153;
        int day = ofYear - (153 * fromMarch + 2) / 5 + 1;
        int month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
        long year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
        return year << 9 | month << 5 | day;
    }

    /** The year of a packed date. Year 0 is the year before year 1. */
    public static long year(long date) {
        return date >> 9;
    }

    /** The month of a packed date, 1 to 12. */
    public static int month(long date) {
        return (int) date >> 5 & 0xf;
    }

    /** The day of a packed date, 1 to 31. */
    public static int day(long date) {
        return (int) date & 0x1f;
    }

    /** Number of days from 1970-01-01 to a date. */
    public static long toDays(int year, int month, int day) {
        int y = month <= 2 ? year - 1 : year;
        int era = Math.floorDiv(y, 400);
        int yearOfEra = y - era * 400;
        int ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
        int ofEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear;
        return era * (long) DAYS_PER_ERA + ofEra - EPOCH;
    }

    /** Number of days of a month, 28 to 31. */
    public static int daysOfMonth(int year, int month) {
        return switch (month) {
            case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }
}
