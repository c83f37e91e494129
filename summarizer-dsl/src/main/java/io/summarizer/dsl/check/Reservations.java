package io.summarizer.dsl.check;

import io.summarizer.dsl.diagnose.Diagnostics;
import io.summarizer.dsl.diagnose.Span;
import io.summarizer.dsl.parse.Ast;
import java.util.List;

/**
 * The {@code reserved} numbers and names of one block. These are numbers and names of former fields, which new fields
 * must not have.
 */
final class Reservations {
    /** Maximum number of items of one block. There is a bound because each item is compared with each field. */
    private static final int MAX_ITEMS = 1000;

    private final Diagnostics diagnostics;
    private final List<Ast.Reserved> reserved;

    Reservations(Diagnostics diagnostics, List<Ast.Reserved> reserved) {
        this.diagnostics = diagnostics;
        this.reserved = reserved.subList(0, Math.min(reserved.size(), MAX_ITEMS));
        if (reserved.size() > MAX_ITEMS) {
            diagnostics.error(span(reserved.get(MAX_ITEMS)), "too much is reserved; at most " + MAX_ITEMS + " items");
        }
        for (Ast.Reserved each : this.reserved) {
            if (each instanceof Ast.ReservedNumbers numbers) {
                if (numbers.from().value() < 1) {
                    diagnostics.error(numbers.from().span(), "a field number is at least 1");
                } else if (numbers.from().value() > numbers.to().value()) {
                    diagnostics.error(numbers.to().span(), "the range ends before it begins");
                }
            }
        }
    }

    /** Reports a field that takes a reserved number or name. */
    void check(Ast.Name name, Ast.Int number) {
        for (Ast.Reserved each : reserved) {
            if (each instanceof Ast.ReservedNumbers numbers
                    && numbers.from().value() <= number.value()
                    && number.value() <= numbers.to().value()) {
                diagnostics.error(
                        number.span(),
                        "number " + number.value() + " is reserved in line "
                                + numbers.from().span().line(),
                        "a field had it once, and its state may still be stored; take a new one");
            }
            if (each instanceof Ast.ReservedName reservedName
                    && reservedName.name().value().equals(name.text())) {
                diagnostics.error(
                        name.span(),
                        "`" + name.text() + "` is reserved in line "
                                + reservedName.name().span().line());
            }
        }
    }

    private static Span span(Ast.Reserved reserved) {
        return reserved instanceof Ast.ReservedNumbers numbers
                ? numbers.from().span()
                : ((Ast.ReservedName) reserved).name().span();
    }
}
