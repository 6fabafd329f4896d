package org.nelumbo.planner.catalog;

/**
 * The schema of a session's temporary tables as the session sees it. Its tables hide others of
 * their names.
 *
 * @param name its name in the catalogue
 * @param changes how often its tables have changed: what was planned before is not good any more
 */
public record TemporarySchema(String name, long changes) {
  /** What users call it, whatever its name is. */
  public static final String ALIAS = "PG_TEMP";

  private static final String PREFIX = ALIAS + "_";

  /** The one of that number, as it is when it has been made. */
  static TemporarySchema of(int number) {
    return new TemporarySchema(PREFIX + number, 0);
  }

  /** Whether a schema is one of some session's temporary tables. */
  public static boolean isTemporary(String schema) {
    return schema.startsWith(PREFIX);
  }

  /** This schema after a change of its tables. */
  public TemporarySchema changed() {
    return new TemporarySchema(name, changes + 1);
  }
}
