package org.nelumbo.executor.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.nelumbo.executor.outcome.Outcome.CONFLICT;
import static org.nelumbo.executor.outcome.Outcome.OK;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.DistantFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.session.ConflictPolicy;

/**
 * Scans all rows with one value of an index, while other transactions add rows with that value, or
 * with other values in the same leaf. Conflicts fail immediately, so one thread can play all parts.
 */
class ValueLocksTest {
  /** Number of rows with one value that take several leaves. */
  private static final int MANY = 200;

  private Engine engine;
  private IndexStore byOwner;
  private Accounts a;
  private Accounts b;

  private void open(boolean remote, boolean unique) {
    Fabric memory = new LocalFabric(64 << 20);
    PoolFormat.format(memory, 1);
    engine =
        new Engine(
            new SystemEnvironment(),
            remote ? new DistantFabric(memory) : memory,
            EngineOptions.DEFAULT.withConflictPolicy(ConflictPolicy.NO_WAIT));
    TableStore table = Accounts.create(engine, 2);
    byOwner = Accounts.addOwnerIndex(engine, table, unique);
    a = new Accounts(engine, table);
    b = new Accounts(engine, table);
    a.begin();
    b.begin();
  }

  @AfterEach
  void close() {
    a.close();
    b.close();
    engine.close();
    assertEquals(0, engine.lockTable().heldCount());
  }

  /** Inserts a row and its entries; on a remote fabric the commit adds the entries. */
  private static Outcome insert(Accounts by, long id, String owner) {
    Outcome inserted = by.insert(id, 0, owner);
    return inserted == OK ? by.commit() : inserted;
  }

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void shouldLetScannersOfDifferentValuesInsert(boolean remote, boolean unique) {
    open(remote, unique);
    assertEquals(List.of(), a.idsOf(byOwner, "ann"));
    assertEquals(List.of(), b.idsOf(byOwner, "bob"));
    assertEquals(OK, a.insert(1, 0, "art"));
    assertEquals(OK, b.insert(2, 0, "bea"));
    assertEquals(OK, a.insert(3, 0, "ann"));
    assertEquals(OK, b.insert(4, 0, "bob"));
    assertEquals(List.of(3L), a.idsOf(byOwner, "ann"));
    assertEquals(OK, a.commit());
    assertEquals(List.of(4L), b.idsOf(byOwner, "bob"));
    assertEquals(OK, b.commit());
  }

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void shouldPreventPhantomsOfScannedValue(boolean remote, boolean unique) {
    open(remote, unique);
    assertEquals(List.of(), a.idsOf(byOwner, "ann"));
    assertEquals(CONFLICT, insert(b, 1, "ann"));
    b.abort();
    b.begin();
    assertEquals(OK, b.insert(2, 0, "bob"));
    assertEquals(OK, b.update(2, 0, "cat"));
    Outcome updated = b.update(2, 0, "ann");
    assertEquals(CONFLICT, updated == OK ? b.commit() : updated);
    b.abort();
    assertEquals(List.of(), a.idsOf(byOwner, "ann"));
    assertEquals(OK, a.commit());
  }

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void shouldLetOneOfTwoScannersInsertScannedValue(boolean remote, boolean unique) {
    open(remote, unique);
    assertEquals(List.of(), a.idsOf(byOwner, "ann"));
    assertEquals(List.of(), b.idsOf(byOwner, "ann"));
    assertEquals(CONFLICT, insert(a, 1, "ann"));
    a.abort();
    assertEquals(OK, insert(b, 2, "ann"));
  }

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void shouldPreventPhantomsOfScannedNulls(boolean remote, boolean unique) {
    open(remote, unique);
    assertEquals(List.of(), a.idsOf(byOwner, null));
    assertEquals(OK, b.insert(1, 0, "ann"));
    assertEquals(CONFLICT, insert(b, 2, null));
    b.abort();
    assertEquals(List.of(), a.idsOf(byOwner, null));
  }

  @ParameterizedTest
  @CsvSource({"false, false", "true, false"})
  void shouldAllowInsertsBeyondPartialScan(boolean remote, boolean unique) {
    open(remote, unique);
    for (int i = 0; i < MANY; i++) {
      assertEquals(OK, a.insert(10 + i, 0, "ann"));
    }
    assertEquals(OK, a.commit());
    a.begin();
    assertEquals(10, a.firstOf(byOwner, "ann"));
    assertEquals(OK, insert(b, 10 + MANY, "ann"));
    b.begin();
    assertEquals(CONFLICT, insert(b, 1, "ann"));
    b.abort();
    assertEquals(10, a.firstOf(byOwner, "ann"));
    assertEquals(MANY + 1, a.idsOf(byOwner, "ann").size());
    b.begin();
    assertEquals(CONFLICT, insert(b, 11 + MANY, "ann"));
    b.abort();
    assertTrue(a.commit() == OK);
  }
}
