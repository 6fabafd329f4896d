package org.nelumbo.benchmark.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.nelumbo.benchmark.run.TypeStatistics;

/**
 * Tries that did not commit because of an error, by cause.
 *
 * @param name of the cause in a word or two, such as {@code conflict}
 * @param sqlState what the driver reported, possibly empty
 * @param vendorCode the product's own number, or 0
 * @param treatment what became of the transaction: {@code retried}, {@code given_up}, {@code
 *     expected}, {@code unknown}
 * @param count how many
 */
public record AbortCount(
    String name, String sqlState, int vendorCode, String treatment, long count) {
  /** All causes of a type, the most frequent first. */
  static List<AbortCount> of(TypeStatistics statistics) {
    return statistics.aborts().entrySet().stream()
        .map(
            entry ->
                new AbortCount(
                    entry.getKey().cause().name(),
                    entry.getKey().cause().sqlState(),
                    entry.getKey().cause().vendorCode(),
                    entry.getKey().treatment().name().toLowerCase(Locale.ROOT),
                    entry.getValue()))
        .sorted(Comparator.comparingLong(AbortCount::count).reversed())
        .toList();
  }
}
