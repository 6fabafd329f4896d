package org.nelumbo.simulation.instrument;

/**
 * The switches that instrumented code reads while it runs. Each {@link InstrumentedLoader} has its
 * own. Initially no point is armed and no defect is enabled.
 */
public final class Probe {
  /** A listener that is called at armed points. */
  @FunctionalInterface
  public interface Listener {
    /** Returns normally, or throws any throwable. */
    void reached(int site);
  }

  /** Number of the enabled defect, 0 if none is. */
  public static int defect;

  private static int[] armed = new int[0];
  private static volatile Listener listener = site -> {};

  private Probe() {}

  /** Reserves space for this number of points, and sets the listener of armed points. */
  public static synchronized void listen(int sites, Listener to) {
    if (armed.length < sites) {
      armed = new int[sites];
    }
    listener = to;
  }

  /** Arms a point; repeated calls are counted. */
  public static synchronized void arm(int site) {
    armed[site]++;
  }

  /** Arms all points. */
  public static synchronized void armAll() {
    for (int i = 0; i < armed.length; i++) {
      armed[i]++;
    }
  }

  /** Reverts one arming of all points. */
  public static synchronized void disarmAll() {
    for (int i = 0; i < armed.length; i++) {
      armed[i]--;
    }
  }

  /** Reverts one arming of a point. */
  public static synchronized void disarm(int site) {
    armed[site]--;
  }

  /** Reports that a line of the engine is about to run. Called by instrumented code. */
  public static void line(int site) {
    int[] sites = armed;
    if (site < sites.length && sites[site] != 0) {
      listener.reached(site);
    }
  }
}
