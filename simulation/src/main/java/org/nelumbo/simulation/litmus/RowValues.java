package org.nelumbo.simulation.litmus;

import java.util.ArrayList;
import java.util.List;

/** The values of a litmus run: each is written once, so it identifies its writer. */
final class RowValues {
  /** Stands for the writer of a missing row. */
  static final String MISSING = "-";

  private final List<String> writers = new ArrayList<>();

  /** Returns a new value for this transaction. */
  long next(String writer) {
    writers.add(writer);
    return writers.size();
  }

  /** Returns the transaction that wrote a value. */
  String writer(long value) {
    return value >= 1 && value <= writers.size() ? writers.get((int) value - 1) : "?" + value;
  }
}
