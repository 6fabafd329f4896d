package org.nelumbo.tatp.jdbc;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.nelumbo.benchmark.jdbc.JdbcSession;

/** Finds subscribers by telephone number. */
final class SubscriberFinder {
  private final PreparedStatement query;

  SubscriberFinder(JdbcSession session) throws SQLException {
    this.query = session.prepare("subscriber");
  }

  int find(String telephoneNumber) throws SQLException {
    query.setString(1, telephoneNumber);
    try (ResultSet row = query.executeQuery()) {
      JdbcSession.single(row, "subscriber");
      return row.getInt(1);
    }
  }
}
