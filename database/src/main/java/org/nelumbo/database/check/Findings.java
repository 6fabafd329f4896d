package org.nelumbo.database.check;

import java.util.ArrayList;
import java.util.List;

/** The defect reports of the latest check or salvage of a database. Thread-safe. */
public final class Findings {
  private static final int KEPT_MAX = 10_000;

  private final List<Finding> findings = new ArrayList<>();
  private long count;

  /** Removes the reports of an earlier check. */
  public synchronized void clear() {
    findings.clear();
    count = 0;
  }

  /** Adds a report. Counts all reports, but stores only the first ones of very many. */
  public synchronized void add(Finding finding) {
    count++;
    if (findings.size() < KEPT_MAX) {
      findings.add(finding);
    }
  }

  /** Returns the number of all reports. */
  public synchronized long count() {
    return count;
  }

  /** Returns the stored reports. */
  public synchronized List<Finding> list() {
    return List.copyOf(findings);
  }
}
