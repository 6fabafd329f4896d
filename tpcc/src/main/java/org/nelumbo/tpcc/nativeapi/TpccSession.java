package org.nelumbo.tpcc.nativeapi;

import java.sql.Connection;
import java.sql.SQLException;
import org.nelumbo.benchmark.nativeapi.NativeApiSession;

/** A terminal's native session with the tables of TPC-C. */
final class TpccSession extends NativeApiSession {
  final Tables tables;

  TpccSession(Connection connection) throws SQLException {
    super(connection);
    this.tables = new Tables(this);
  }
}
