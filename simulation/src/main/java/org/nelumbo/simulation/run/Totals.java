package org.nelumbo.simulation.run;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Named sums over seeds, in the order in which they are printed. Not thread-safe. */
public final class Totals {
  private final Map<String, Long> sums = new LinkedHashMap<>();

  /**
   * Creates totals.
   *
   * @param names names in order; a name that ends with a question mark is printed only if it was
   *     counted
   */
  Totals(String... names) {
    for (String name : names) {
      boolean isOptional = name.endsWith("?");
      sums.put(isOptional ? name.substring(0, name.length() - 1) : name, isOptional ? null : 0L);
    }
  }

  void add(String name, long count) {
    sums.merge(name, count, Long::sum);
  }

  void max(String name, long value) {
    sums.merge(name, value, Long::max);
  }

  /** Returns {@code key=value} pairs, separated by blanks. */
  @Override
  public String toString() {
    return sums.entrySet().stream()
        .filter(each -> each.getValue() != null)
        .map(Object::toString)
        .collect(Collectors.joining(" "));
  }
}
