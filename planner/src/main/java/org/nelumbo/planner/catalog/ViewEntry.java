package org.nelumbo.planner.catalog;

import java.util.List;
import org.nelumbo.executor.row.Column;

/**
 * A view: a name for a query.
 *
 * @param columns names and types of its columns when it was created
 * @param text the query as SQL
 * @param path the default schema of unqualified names in the query
 * @param uses ids of the tables, views and sequences that the query names
 * @param comments texts of COMMENT ON
 */
public record ViewEntry(
    int id,
    String schemaName,
    String name,
    List<Column> columns,
    String text,
    String path,
    List<Integer> uses,
    Comments comments)
    implements Relation {
  public ViewEntry {
    columns = List.copyOf(columns);
    uses = List.copyOf(uses);
  }

  /** Returns this view under another name. */
  public ViewEntry withName(String newName) {
    return new ViewEntry(id, schemaName, newName, columns, text, path, uses, comments);
  }

  /** Returns this view with other comments. */
  public ViewEntry withComments(Comments newComments) {
    return new ViewEntry(id, schemaName, name, columns, text, path, uses, newComments);
  }

  @Override
  public String toString() {
    return schemaName + "." + name;
  }
}
