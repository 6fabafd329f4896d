package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.CountingChannel;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;

class RangeScanTest {
  private static final int ROWS = 100;
  private static final int ID = 0;
  private static final int BALANCE = 1;

  private final RowBuffer row = new RowBuffer();
  private Engine engine;
  private TableStore table;
  private Accounts accounts;

  @BeforeEach
  void open() {
    CountingFabric fabric = new CountingFabric(new LocalFabric(1L << 26));
    PoolFormat.format(fabric, 1);
    engine = new Engine(new SystemEnvironment(), fabric, EngineOptions.DEFAULT);
    engine.start();
  }

  private void load(int versions) {
    table = Accounts.create(engine, versions);
    accounts = new Accounts(engine, table);
    accounts.begin();
    for (int id = 1; id <= ROWS; id++) {
      accounts.insert(id, id, "owner" + id);
    }
    accounts.commit();
  }

  @AfterEach
  void close() {
    accounts.close();
    engine.close();
    assertEquals(0, engine.lockTable().heldCount());
  }

  private RangeScan scanAll(LockMode mode) {
    RangeScan scan = accounts.transaction.newRangeScan();
    Outcome status = scan.open(new ScanRange().all(table.primary()).lockMode(mode));
    assertEquals(Outcome.OK, status);
    return scan;
  }

  private long value(int column) {
    return table.layout().getLong(row.bytes, row.offset, column);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void shouldNotRereadRowsScannedForUpdate(int versions) {
    load(versions);
    CountingChannel channel = (CountingChannel) accounts.coordinator.channel();
    for (int round = 1; round <= 5; round++) {
      accounts.begin();
      RangeScan scan = scanAll(LockMode.WRITE);
      channel.label("scan");
      while (scan.next(row) == Outcome.OK) {
        assertEquals(value(ID) * round, value(BALANCE));
        long id = value(ID);
        channel.label("change");
        assertEquals(Outcome.OK, accounts.update(id, id * (round + 1), "x"));
        channel.label("scan");
      }
      assertEquals(0, channel.counters("change").verbs());
      assertEquals(Outcome.OK, accounts.commit());
    }
    accounts.begin();
    assertEquals(600, accounts.balance(ROWS));
    accounts.commit();
  }

  @Test
  void shouldChangeTheRowThatIsNamedNotTheOneThatWasShown() {
    load(2);
    accounts.begin();
    RangeScan scan = scanAll(LockMode.WRITE);
    assertEquals(Outcome.OK, scan.next(row));
    assertEquals(Outcome.OK, accounts.update(50, -50, "named"));
    assertEquals(Outcome.OK, accounts.update(1, -1, "shown"));
    assertEquals(Outcome.OK, accounts.delete(1));
    assertEquals(Outcome.OK, accounts.commit());
    accounts.begin();
    assertEquals(-1, accounts.balance(1));
    assertEquals(-50, accounts.balance(50));
    assertEquals(2, accounts.balance(2));
    accounts.commit();
  }

  @Test
  void shouldReadRowsAgainThatAreOnlyLockedForReading() {
    load(2);
    CountingChannel channel = (CountingChannel) accounts.coordinator.channel();
    accounts.begin();
    RangeScan scan = scanAll(LockMode.READ);
    assertEquals(Outcome.OK, scan.next(row));
    channel.label("change");
    assertEquals(Outcome.OK, accounts.update(1, 11, "x"));
    assertTrue(channel.counters("change").verbs() > 0);
    accounts.commit();
    accounts.begin();
    assertEquals(11, accounts.balance(1));
    accounts.commit();
  }
}
