package org.nelumbo.ycsb.load;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.check.Conditions;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.ycsb.terminal.RecordInput;

/**
 * Reads all records, and checks that each field has its length and begins with the key of its
 * record.
 */
public final class RecordCheck {
  private static final int SAMPLE_ROWS = 5;
  private static final int FETCH_ROWS = 1_000;

  private RecordCheck() {}

  /** Checks the records, whose number must lie between {@code least} and {@code most}. */
  public static List<CheckResult> check(Database database, String moment, long least, long most)
      throws SQLException {
    try (Connection connection = database.connectToRead();
        Statement statement = connection.createStatement()) {
      statement.setFetchSize(FETCH_ROWS);
      List<String> sample = new ArrayList<>();
      long broken = 0;
      long there = 0;
      try (ResultSet rows = statement.executeQuery("SELECT * FROM usertable")) {
        while (rows.next()) {
          there++;
          int field = brokenField(rows);
          if (field >= 0) {
            broken++;
            sample.add("key=" + rows.getString(1) + " field" + field);
          }
        }
      }
      connection.rollback();
      return List.of(
          new CheckResult(
              "every field is whole and belongs to its record",
              moment,
              broken,
              sample.stream().limit(SAMPLE_ROWS).toList()),
          Conditions.between(
              "ledger: records = loaded + inserted", moment, least, most, there, "records"));
    }
  }

  /** Returns the first invalid field, or -1. */
  private static int brokenField(ResultSet row) throws SQLException {
    String key = row.getString(1);
    for (int field = 0; field < RecordInput.FIELDS; field++) {
      String value = row.getString(2 + field);
      if (value.length() != RecordInput.FIELD_LENGTH || !value.startsWith(key)) {
        return field;
      }
    }
    return -1;
  }
}
