package org.nelumbo.simulation.instrument;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The points of the engine at which throwables may be injected: one for each line, numbered in the
 * order of class names and code.
 */
public final class SiteCatalog {
  /** Kind of the code of a line, which determines the possible throwables. */
  public enum Kind {
    /** Creates an object or an array, or posts a verb: memory may be exhausted. */
    ALLOCATION,
    /** Calls a method: it may throw, or the stack may overflow. */
    CALL,
    /** Neither of these. */
    PLAIN
  }

  /**
   * A point at which throwables may be injected.
   *
   * @param handler whether it is in a handler of other exceptions
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

  /** Returns all points; the number of each is its index. */
  public List<Site> sites() {
    return Collections.unmodifiableList(sites);
  }
}
