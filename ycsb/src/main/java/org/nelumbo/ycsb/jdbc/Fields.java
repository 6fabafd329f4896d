package org.nelumbo.ycsb.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;
import org.nelumbo.ycsb.terminal.RecordInput;

/** Reads and writes fields of the record of an input. */
final class Fields {
  private Fields() {}

  /** Reads all fields with a prepared query. */
  static void read(PreparedStatement query, RecordInput input) throws SQLException {
    query.setString(1, input.key());
    try (ResultSet row = query.executeQuery()) {
      JdbcSession.single(row, "record");
      readAll(row, 1);
    }
  }

  /** Reads the fields of a row, starting at a column. */
  static void readAll(ResultSet row, int from) throws SQLException {
    for (int i = from; i < from + RecordInput.FIELDS; i++) {
      row.getString(i);
    }
  }

  /** Prepares an update of each field. */
  static PreparedStatement[] prepareUpdates(JdbcSession session) throws SQLException {
    PreparedStatement[] updates = new PreparedStatement[RecordInput.FIELDS];
    for (int i = 0; i < updates.length; i++) {
      updates[i] = session.prepare("update", "${field}", "field" + i);
    }
    return updates;
  }

  /** Writes the field that was drawn. */
  static void write(PreparedStatement[] updates, RecordInput input) throws SQLException {
    PreparedStatement update = updates[input.field()];
    update.setString(1, input.value(input.field()));
    update.setString(2, input.key());
    JdbcSession.updateOne(update, "update of a record");
  }
}
