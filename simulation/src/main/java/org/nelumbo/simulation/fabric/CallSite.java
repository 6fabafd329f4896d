package org.nelumbo.simulation.fabric;

import java.util.List;

/**
 * The code that posted a verb, for readable traces.
 *
 * @param type class name with its package
 * @param method method name
 */
record CallSite(String type, String method) {
  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final CallSite UNKNOWN = new CallSite("unknown", "unknown");

  /** Packages whose classes only forward verbs: fabrics and their building blocks. */
  private static final List<String> FABRICS =
      List.of(
          "org.nelumbo.simulation.fabric.",
          "org.nelumbo.simulation.replication.",
          "org.nelumbo.dm.fabric.",
          "org.nelumbo.dm.pool.",
          "org.nelumbo.dm.replication.");

  /** Returns the nearest caller outside of fabrics. */
  static CallSite ofPoster() {
    return WALKER.walk(
        frames ->
            frames
                .filter(frame -> !isFabric(frame.getClassName()))
                .findFirst()
                .map(frame -> new CallSite(frame.getClassName(), frame.getMethodName()))
                .orElse(UNKNOWN));
  }

  /** Returns true if a class only forwards verbs. */
  static boolean isFabric(String type) {
    return FABRICS.stream().anyMatch(type::startsWith);
  }

  /** Returns the class without its package, and the method, as in {@code CellWriter.postCell}. */
  @Override
  public String toString() {
    return type.substring(type.lastIndexOf('.') + 1) + "." + method;
  }
}
