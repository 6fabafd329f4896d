package org.nelumbo.tpcc.nativeapi;

import org.nelumbo.benchmark.nativeapi.NativeTransaction;

/** A transaction on the tables of TPC-C. */
abstract class TpccTransaction extends NativeTransaction {
  final TpccSession session;
  final Tables tables;

  TpccTransaction(TpccSession session, boolean readOnly) {
    super(session, readOnly);
    this.session = session;
    this.tables = session.tables;
  }
}
