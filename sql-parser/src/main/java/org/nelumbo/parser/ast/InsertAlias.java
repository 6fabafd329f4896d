package org.nelumbo.parser.ast;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * The name that INSERT INTO t AS x gives its table for ON CONFLICT and RETURNING; there it is
 * replaced by the table's own.
 */
public final class InsertAlias {
  private String table;
  private String alias;

  /** The table has another name. */
  public void set(SqlIdentifier tableName, SqlIdentifier aliasName) {
    table = tableName.names.getLast();
    alias = aliasName.getSimple();
  }

  /** A part of the statement with the table's own name; null stays null. */
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

  /** Values in which a row alias means the row that could not be inserted; null for no alias. */
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
