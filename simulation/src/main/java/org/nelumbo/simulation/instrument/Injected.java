package org.nelumbo.simulation.instrument;

/** The injected throwables, which can be distinguished from those of defects. */
public final class Injected {
  private static final String MARK = "injected at ";
  private static final int DEPTH_MAX = 50;

  private Injected() {}

  /** Returns a throwable for this point; {@code draw} is from 0 to 3. */
  public static Throwable at(SiteCatalog.Site site, int draw) {
    String message = MARK + site;
    boolean allocates = site.kind() == SiteCatalog.Kind.ALLOCATION;
    if (allocates && draw < 2) {
      return new OutOfMemoryError(message);
    }
    return draw % 2 == 0 ? new StackOverflowError(message) : new IllegalStateException(message);
  }

  /**
   * Returns true if this throwable is injected, or has an injected one as a cause or suppressed.
   */
  public static boolean isCauseOf(Throwable thrown) {
    Throwable each = thrown;
    for (int i = 0; each != null && i < DEPTH_MAX; i++) {
      if (each.getMessage() != null && each.getMessage().contains(MARK)) {
        return true;
      }
      for (Throwable suppressed : each.getSuppressed()) {
        if (isCauseOf(suppressed)) {
          return true;
        }
      }
      each = each.getCause();
    }
    return false;
  }
}
