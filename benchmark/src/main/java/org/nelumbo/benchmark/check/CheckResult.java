package org.nelumbo.benchmark.check;

import java.util.List;

/**
 * The result of a check.
 *
 * @param name name of the condition, such as {@code 3.3.2.1}
 * @param moment time of the check, such as {@code after load}
 * @param offendingRows number of rows that violate the condition, 0 if it holds; counting stops at
 *     {@link ConditionChecker#ROWS_MAX}
 * @param sample the first of these rows, each as {@code column=value} pairs
 */
public record CheckResult(String name, String moment, long offendingRows, List<String> sample) {
  /** Creates the result of a condition that holds. */
  public static CheckResult passed(String name, String moment) {
    return new CheckResult(name, moment, 0, List.of());
  }

  /**
   * Creates the result of a condition that is violated, as found by other means than counting rows.
   */
  public static CheckResult failed(String name, String moment, String finding) {
    return new CheckResult(name, moment, 1, List.of(finding));
  }

  /** Returns true if the condition holds. */
  public boolean passed() {
    return offendingRows == 0;
  }
}
