package org.nelumbo.benchmark.report;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.nelumbo.benchmark.run.TypeStatistics;

/**
 * A number of attempts that did not commit because of an error, by cause.
 *
 * @param name cause in a word or two, such as {@code conflict}
 * @param sqlState SQLState that the driver reported, possibly empty
 * @param vendorCode error code of the product, or 0
 * @param treatment fate of the transaction: {@code retried}, {@code given_up}, {@code expected},
 *     {@code unknown}
 * @param count number of attempts
 */
public record AbortCount(
    String name, String sqlState, int vendorCode, String treatment, long count) {
  /** Returns all causes of a transaction type, the most frequent first. */
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
