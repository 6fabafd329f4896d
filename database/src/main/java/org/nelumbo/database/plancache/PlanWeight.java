package org.nelumbo.database.plancache;

/** Estimates the memory size of a plan from the length of its text. */
final class PlanWeight {
  /** Maximum length of a text whose plan is cached, in characters. */
  private static final int LONGEST_KEPT = 32 << 10;

  private static final int BASE_BYTES = 4 << 10;
  private static final int BYTES_PER_CHARACTER = 64;

  /** Size of the plan of a text of typical length. */
  private static final int USUAL_BYTES = BASE_BYTES + 256 * BYTES_PER_CHARACTER;

  /** Plans may take one part in this many of the heap. */
  private static final int HEAP_SHARE = 32;

  private PlanWeight() {}

  /** Returns true if the plan of a text is cached. */
  static boolean isKept(String sql) {
    return sql.length() <= LONGEST_KEPT;
  }

  /** Returns the size of the plan of a text in bytes. */
  static int of(String sql) {
    return BASE_BYTES + BYTES_PER_CHARACTER * Math.min(sql.length(), LONGEST_KEPT);
  }

  /** Returns the size of this many plans of typical length, limited by a fraction of the heap. */
  static long limit(int plans) {
    long heapLimit = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    return Math.max(USUAL_BYTES, Math.min((long) plans * USUAL_BYTES, heapLimit));
  }
}
