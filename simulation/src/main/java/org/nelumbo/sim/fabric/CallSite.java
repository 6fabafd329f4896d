package org.nelumbo.sim.fabric;

/** Which code posted a verb, for readable traces. */
final class CallSite {
  private static final StackWalker WALKER = StackWalker.getInstance();

  /** Packages whose classes carry verbs on: fabrics, and what all of them are made of. */
  private static final String[] FABRICS = {
    "org.nelumbo.sim.fabric.",
    "org.nelumbo.dm.fabric.",
    "org.nelumbo.dm.pool.",
    "org.nelumbo.dm.replication."
  };

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
    for (String each : FABRICS) {
      if (type.startsWith(each)) {
        return true;
      }
    }
    return false;
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }
}
