package org.nelumbo.simulation.litmus;

import java.util.ArrayList;
import java.util.List;

/** The values of a litmus run: each is written once, so it tells who wrote it. */
final class RowValues {
  /** In place of a writer: there is no row. */
  static final String MISSING = "-";

  private final List<String> writers = new ArrayList<>();

  /** A new value, to be written by that transaction. */
  long next(String writer) {
    writers.add(writer);
    return writers.size();
  }

  /** The transaction that wrote a value. */
  String writer(long value) {
    return value >= 1 && value <= writers.size() ? writers.get((int) value - 1) : "?" + value;
  }
}
