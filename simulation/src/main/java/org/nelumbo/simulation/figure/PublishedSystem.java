package org.nelumbo.simulation.figure;

import java.util.List;

/**
 * A system as its paper and its source describe it: the verbs of a transaction on rows whose
 * addresses are cached. Conflicts and aborts are left out.
 */
enum PublishedSystem {
  /** Motor (OSDI 2024): locks by CAS beside the rows, versions with full records and deltas. */
  MOTOR {
    @Override
    void run(StepClient client, List<RowAccess> rows) {
      runMotor(client, rows, true);
    }
  },

  /** Motor without the CAS of its locks, as in LOTUS's figure 3. */
  MOTOR_WITHOUT_CAS {
    @Override
    void run(StepClient client, List<RowAccess> rows) {
      runMotor(client, rows, false);
    }
  },

  /** LOTUS: locks at compute nodes, the log beside the writes, commits that become visible. */
  LOTUS {
    @Override
    void run(StepClient client, List<RowAccess> rows) {
      runLotus(client, rows);
    }
  };

  private static final int LOCK_BYTES = 8;
  private static final int CELL_BYTES = 24;

  /** CVT of Motor with two versions: a header of 64 bytes and two cells. */
  private static final int CVT_BYTES = 64 + 2 * CELL_BYTES;

  /** An entry of LOTUS's log: the address of a cell. */
  private static final int LOG_ENTRY_BYTES = 16;

  /** Runs one transaction. */
  abstract void run(StepClient client, List<RowAccess> rows);

  private static boolean isReadOnly(List<RowAccess> rows) {
    return rows.stream().noneMatch(RowAccess::isWritten);
  }

  private static void runMotor(StepClient client, List<RowAccess> rows, boolean locks) {
    for (RowAccess each : rows) {
      if (each.isWritten() && locks) {
        client.compareAndSwap(client.primary(each), each);
      }
      client.read(client.primary(each), each, CVT_BYTES);
    }
    client.flush();
    for (RowAccess each : rows) {
      client.read(client.primary(each), each, client.recordBytes());
    }
    client.flush();
    if (isReadOnly(rows)) {
      return;
    }
    boolean validates = false;
    for (RowAccess each : rows) {
      if (!each.isWritten()) {
        client.read(client.primary(each), each, CVT_BYTES);
        validates = true;
      }
    }
    if (validates) {
      client.flush();
    }
    client.beginUnawaited();
    for (RowAccess each : rows) {
      for (int node = 0; each.isWritten() && node < client.nodes(); node++) {
        client.writeUnawaited(node, each, client.recordBytes());
        client.writeUnawaited(node, each, client.recordBytes());
        client.writeUnawaited(node, each, CELL_BYTES);
        client.writeUnawaited(node, each, LOCK_BYTES);
      }
    }
  }

  private static void runLotus(StepClient client, List<RowAccess> rows) {
    boolean isReadOnly = isReadOnly(rows);
    int remote = isReadOnly ? StepClient.NOWHERE : client.remoteOwner(rows);
    if (remote != StepClient.NOWHERE) {
      client.call(remote);
    }
    boolean misses = false;
    for (RowAccess each : rows) {
      if (!client.hasCachedVersions(each)) {
        client.read(client.primary(each), each, CVT_BYTES);
        misses = true;
      }
    }
    if (misses) {
      client.flush();
    }
    for (RowAccess each : rows) {
      client.read(client.primary(each), each, client.recordBytes());
    }
    client.flush();
    if (isReadOnly) {
      return;
    }
    int written = (int) rows.stream().filter(RowAccess::isWritten).count();
    for (RowAccess each : rows) {
      for (int node = 0; each.isWritten() && node < client.nodes(); node++) {
        client.write(node, each, client.recordBytes());
        client.write(node, each, CELL_BYTES);
      }
    }
    for (int node = 0; node < client.nodes(); node++) {
      client.write(node, rows.getFirst(), LOCK_BYTES + written * LOG_ENTRY_BYTES);
    }
    client.flush();
    for (RowAccess each : rows) {
      for (int node = 0; each.isWritten() && node < client.nodes(); node++) {
        client.write(node, each, LOCK_BYTES);
      }
    }
    client.flush();
    if (remote != StepClient.NOWHERE) {
      client.send(remote);
    }
  }
}
