package org.nelumbo.parser.ast;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * Replaces the alias of INSERT INTO t AS x in ON CONFLICT and RETURNING by the name of the table.
 */
public final class InsertAlias {
  private String table;
  private String alias;

  /** Sets the table and its alias. */
  public void set(SqlIdentifier tableName, SqlIdentifier aliasName) {
    table = tableName.names.getLast();
    alias = aliasName.getSimple();
  }

  /** Returns a part of the statement with the alias replaced; null for null. */
  public SqlNode resolve(SqlNode nodeOrNull) {
    return alias == null || nodeOrNull == null
        ? nodeOrNull
        : nodeOrNull.accept(
            new SqlShuttle() {
              @Override
              public SqlNode visit(SqlIdentifier name) {
                return renamed(name);
              }
            });
  }

  /**
   * Returns values in which a row alias is replaced by EXCLUDED, the row that could not be
   * inserted.
   *
   * @param rowOrNull the row alias; null if there is none
   */
  public static SqlNodeList excluded(SqlIdentifier rowOrNull, SqlNodeList values) {
    InsertAlias row = new InsertAlias();
    if (rowOrNull != null) {
      row.set(Upsert.excluded(rowOrNull).getComponent(0), rowOrNull);
    }
    return (SqlNodeList) row.resolve(values);
  }

  private SqlIdentifier renamed(SqlIdentifier name) {
    if (name.names.size() < 2 || !name.names.getFirst().equals(alias)) {
      return name;
    }
    List<String> names = new ArrayList<>(name.names);
    names.set(0, table);
    return new SqlIdentifier(names, name.getParserPosition());
  }
}
