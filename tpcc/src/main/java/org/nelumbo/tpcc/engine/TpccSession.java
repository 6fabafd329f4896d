package org.nelumbo.tpcc.engine;

import java.sql.Connection;
import java.sql.SQLException;
import org.nelumbo.benchmark.engine.EngineSession;

/** A terminal's native session with the tables of TPC-C. */
final class TpccSession extends EngineSession {
  final Tables tables;

  TpccSession(Connection connection) throws SQLException {
    super(connection);
    this.tables = new Tables(this);
  }
}
