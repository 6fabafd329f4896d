package org.nelumbo.cli;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** The defect reports of a check or a salvage, one line each. */
final class FindingLines {
  private final Statement statement;

  FindingLines(Statement statement) {
    this.statement = statement;
  }

  List<String> lines() throws SQLException {
    List<String> lines = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery("SELECT * FROM SYS.FINDINGS")) {
      while (rows.next()) {
        String table = rows.getString("TABLE_NAME");
        String object = rows.getString("OBJECT_NAME");
        String key = rows.getString("ROW_KEY");
        lines.add(
            (table == null ? "" : "table=" + rows.getString("SCHEMA_NAME") + "." + table + " ")
                + (object == null ? "" : "object=" + object + " ")
                + (key == null ? "" : "key=(" + key + ") ")
                + rows.getString("PROBLEM"));
      }
    }
    return lines;
  }
}
