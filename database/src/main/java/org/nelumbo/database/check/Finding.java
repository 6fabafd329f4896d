package org.nelumbo.database.check;

/**
 * A defect report.
 *
 * @param schema schema of the table; null if the report is not about a table
 * @param table table name; null if the report is not about a table
 * @param object index, constraint, column or file; null if the report names none
 * @param key primary key of the row; null if the report is not about a row
 * @param problem description of the defect
 */
public record Finding(String schema, String table, String object, String key, String problem) {
  /** Creates a report about a defect outside of tables, such as a damaged file. */
  public static Finding of(String problem) {
    return new Finding(null, null, null, null, problem);
  }

  /** Returns the report as one line. */
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
