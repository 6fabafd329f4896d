package org.nelumbo.database.check;

import java.util.ArrayList;
import java.util.List;

/** What the last check of a database has found, or its salvage. Thread-safe. */
public final class Findings {
  private static final int KEPT_MAX = 10_000;

  private final List<Finding> findings = new ArrayList<>();
  private long count;

  /** Forgets what an earlier check has found. */
  public synchronized void clear() {
    findings.clear();
    count = 0;
  }

  /** Adds one; of very many the first ones are kept. */
  public synchronized void add(Finding finding) {
    count++;
    if (findings.size() < KEPT_MAX) {
      findings.add(finding);
    }
  }

  /** How many there were. */
  public synchronized long count() {
    return count;
  }

  /** Those that are kept. */
  public synchronized List<Finding> list() {
    return List.copyOf(findings);
  }
}
