package org.nelumbo.simulation.instrument;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The points of the engine at which something may be thrown: one for each line, numbered in the
 * order of class names and code.
 */
public final class SiteCatalog {
  /** What the code of a line does, by which it is said what it may throw. */
  public enum Kind {
    /** Makes an object or an array, or posts a verb: memory may be short. */
    ALLOCATION,
    /** Calls something: that may throw, or the stack be too short. */
    CALL,
    /** Neither. */
    PLAIN
  }

  /**
   * One of them.
   *
   * @param handler whether it is in a handler, which deals with what was thrown elsewhere
   */
  public record Site(String type, String method, int line, Kind kind, boolean handler) {
    @Override
    public String toString() {
      return type.substring(type.lastIndexOf('.') + 1) + "." + method + ":" + line;
    }
  }

  private final List<Site> sites = new ArrayList<>();

  int add(Site site) {
    sites.add(site);
    return sites.size() - 1;
  }

  /** All of them; the number of each is its index. */
  public List<Site> sites() {
    return Collections.unmodifiableList(sites);
  }
}
