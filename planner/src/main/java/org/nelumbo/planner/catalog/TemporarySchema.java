package org.nelumbo.planner.catalog;

/**
 * The temporary schema of a session, whose tables hide others with the same names.
 *
 * @param name its name in the catalog
 * @param changes the number of changes of its tables; earlier plans are invalid
 */
public record TemporarySchema(String name, long changes) {
  /** The name of a temporary schema in SQL, whatever its name in the catalog is. */
  public static final String ALIAS = "PG_TEMP";

  private static final String PREFIX = ALIAS + "_";

  /** Returns the newly created temporary schema with a number. */
  static TemporarySchema of(int number) {
    return new TemporarySchema(PREFIX + number, 0);
  }

  /** Returns true if a schema is the temporary schema of any session. */
  public static boolean isTemporary(String schema) {
    return schema.startsWith(PREFIX);
  }

  /** Returns this schema after a change of its tables. */
  public TemporarySchema changed() {
    return new TemporarySchema(name, changes + 1);
  }
}
