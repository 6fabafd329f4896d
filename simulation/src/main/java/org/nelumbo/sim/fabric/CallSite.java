package org.nelumbo.sim.fabric;

/** Which code posted a verb, for readable traces. */
final class CallSite {
  private static final StackWalker WALKER = StackWalker.getInstance();

  private CallSite() {}

  /**
   * Class and method of the nearest caller outside of fabrics, as in {@code Committer.postCell}.
   */
  static String ofPoster() {
    return WALKER.walk(
        frames ->
            frames
                .filter(frame -> !isFabric(frame.getClassName()))
                .findFirst()
                .map(frame -> simple(frame.getClassName()) + "." + frame.getMethodName())
                .orElse("unknown.unknown"));
  }

  private static boolean isFabric(String type) {
    return type.startsWith("org.nelumbo.sim.fabric.") || type.startsWith("org.nelumbo.dm.fabric.");
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }
}
