package org.nelumbo.simulation.fabric;

import java.util.List;

/**
 * The code that posted a verb, for readable traces.
 *
 * @param type class with its package
 * @param method its name
 */
record CallSite(String type, String method) {
  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final CallSite UNKNOWN = new CallSite("unknown", "unknown");

  /** Packages whose classes carry verbs on: fabrics, and what all of them are made of. */
  private static final List<String> FABRICS =
      List.of(
          "org.nelumbo.simulation.fabric.",
          "org.nelumbo.dm.fabric.",
          "org.nelumbo.dm.pool.",
          "org.nelumbo.dm.replication.");

  /** The nearest caller outside of fabrics. */
  static CallSite ofPoster() {
    return WALKER.walk(
        frames ->
            frames
                .filter(frame -> !isFabric(frame.getClassName()))
                .findFirst()
                .map(frame -> new CallSite(frame.getClassName(), frame.getMethodName()))
                .orElse(UNKNOWN));
  }

  /** Whether a class only carries verbs on. */
  static boolean isFabric(String type) {
    return FABRICS.stream().anyMatch(type::startsWith);
  }

  /** Class without its package and method, as in {@code CellWriter.postCell}. */
  @Override
  public String toString() {
    return type.substring(type.lastIndexOf('.') + 1) + "." + method;
  }
}
