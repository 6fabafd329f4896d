package org.nelumbo.tpcc.engine;

import org.nelumbo.benchmark.engine.EngineTransaction;

/** A transaction on the tables of TPC-C. */
abstract class TpccTransaction extends EngineTransaction {
  final TpccSession session;
  final Tables tables;

  TpccTransaction(TpccSession session, boolean readOnly) {
    super(session, readOnly);
    this.session = session;
    this.tables = session.tables;
  }
}
