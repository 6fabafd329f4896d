package org.nelumbo.database.plancache;

/** The memory that a planned statement takes, about, told from the length of its text. */
final class PlanWeight {
  /** Texts of more characters are planned each time anew. */
  private static final int LONGEST_KEPT = 32 << 10;

  private static final int BASE_BYTES = 4 << 10;
  private static final int BYTES_PER_CHARACTER = 64;

  /** What a statement of usual length takes. */
  private static final int USUAL_BYTES = BASE_BYTES + 256 * BYTES_PER_CHARACTER;

  /** The part of the heap that plans may take. */
  private static final int HEAP_SHARE = 32;

  private PlanWeight() {}

  /** Whether the plan of a text is worth keeping. */
  static boolean isKept(String sql) {
    return sql.length() <= LONGEST_KEPT;
  }

  /** Bytes of the plan of a text. */
  static int of(String sql) {
    return BASE_BYTES + BYTES_PER_CHARACTER * Math.min(sql.length(), LONGEST_KEPT);
  }

  /** Bytes that so many plans of usual length take, or as many as the heap has room for. */
  static long limit(int plans) {
    long heapLimit = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    return Math.max(USUAL_BYTES, Math.min((long) plans * USUAL_BYTES, heapLimit));
  }
}
