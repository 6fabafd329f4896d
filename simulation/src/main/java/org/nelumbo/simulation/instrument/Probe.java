package org.nelumbo.simulation.instrument;

/**
 * What instrumented code asks as it runs. Each {@link InstrumentedLoader} has its own. Nothing is
 * armed and no defect is on unless somebody says so.
 */
public final class Probe {
  /** Decides what happens at a point that is armed. */
  @FunctionalInterface
  public interface Listener {
    /** Returns, or throws whatever it likes. */
    void reached(int site);
  }

  /** The defect that is on, 0 if none is. */
  public static int defect;

  private static int[] armed = new int[0];
  private static volatile Listener listener = site -> {};

  private Probe() {}

  /** Makes room for so many points, and says who is asked at those that are armed. */
  public static synchronized void listen(int sites, Listener to) {
    if (armed.length < sites) {
      armed = new int[sites];
    }
    listener = to;
  }

  /** Arms a point; it counts how often. */
  public static synchronized void arm(int site) {
    armed[site]++;
  }

  /** Arms all points. */
  public static synchronized void armAll() {
    for (int i = 0; i < armed.length; i++) {
      armed[i]++;
    }
  }

  /** Takes back one arming of all points. */
  public static synchronized void disarmAll() {
    for (int i = 0; i < armed.length; i++) {
      armed[i]--;
    }
  }

  /** Takes one arming of a point back. */
  public static synchronized void disarm(int site) {
    armed[site]--;
  }

  /** A line of the engine is about to run. Called by instrumented code. */
  public static void line(int site) {
    int[] sites = armed;
    if (site < sites.length && sites[site] != 0) {
      listener.reached(site);
    }
  }
}
