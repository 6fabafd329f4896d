package org.nelumbo.database.check;

/**
 * Something that is not as it has to be.
 *
 * @param schema of the table; null if no table is named
 * @param table null if no table is named
 * @param object the index, constraint or column, or the file; null if none is named
 * @param key primary key of the row; null if no row is named
 * @param problem what is wrong, for people
 */
public record Finding(String schema, String table, String object, String key, String problem) {
  /** Something that is not in a table, as a damaged file. */
  public static Finding of(String problem) {
    return new Finding(null, null, null, null, problem);
  }

  /** One line. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder();
    if (table != null) {
      line.append("table=").append(schema).append('.').append(table).append(' ');
    }
    if (object != null) {
      line.append("object=").append(object).append(' ');
    }
    if (key != null) {
      line.append("key=(").append(key).append(") ");
    }
    return line.append(problem).toString();
  }
}
