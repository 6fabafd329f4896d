package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.IndexStore;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.session.Isolation;

class TransactionTest {
  private Engine engine;
  private TableStore table;
  private Accounts a;
  private Accounts b;

  /** Returns true if the table has a hash index. */
  boolean isHashed() {
    return true;
  }

  @BeforeEach
  void open() {
    engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(1L << 30));
    table = Accounts.create(engine, 2, isHashed());
    a = new Accounts(engine, table);
    b = new Accounts(engine, table);
  }

  @AfterEach
  void close() {
    a.close();
    b.close();
    engine.close(); // first, since its sweeper acquires locks, too
    assertEquals(0, engine.lockTable().heldCount());
    engine.lockTable().verify();
  }

  @Test
  void shouldShowWritesOnlyToOwnTransactionUntilCommit() {
    a.begin();
    assertEquals(Outcome.OK, a.insert(1, 10, "ann"));
    assertEquals(10, a.balance(1));
    b.begin(Isolation.SNAPSHOT, true);
    assertEquals(-1, b.balance(1));
    assertEquals(Outcome.OK, a.commit());
    assertEquals(-1, b.balance(1));
    b.commit();
    b.begin(Isolation.SNAPSHOT, true);
    assertEquals(10, b.balance(1));
    b.commit();
  }

  @Test
  void shouldRefuseASecondRowWithTheSameKey() {
    a.begin();
    a.insert(1, 10, null);
    assertEquals(Outcome.DUPLICATE, a.insert(1, 11, null));
    a.commit();
    b.begin();
    assertEquals(Outcome.DUPLICATE, b.insert(1, 12, null));
    assertEquals(10, b.balance(1));
    b.commit();
  }

  @Test
  void shouldKeepSnapshotOverManyUpdates() {
    a.begin();
    a.insert(1, 0, null);
    a.commit();
    b.begin(Isolation.SNAPSHOT, true);
    for (int i = 1; i <= 50; i++) {
      a.begin();
      assertEquals(Outcome.OK, a.update(1, i, null));
      assertEquals(Outcome.OK, a.commit());
    }
    assertEquals(0, b.balance(1));
    b.commit();
    b.begin(Isolation.SNAPSHOT, true);
    assertEquals(50, b.balance(1));
    b.commit();
  }

  /**
   * A CV has eight bits: both cells reach the CV of the version of the reader again, and continue.
   */
  @Test
  void shouldKeepSnapshotWhenCellVersionsWrap() {
    a.begin();
    a.insert(1, 0, null);
    a.commit();
    b.begin(Isolation.SNAPSHOT, true);
    int last = 3 * 256 + 1;
    for (int i = 1; i <= last; i++) {
      a.begin();
      assertEquals(i - 1, a.balance(1));
      assertEquals(Outcome.OK, a.update(1, i, null));
      assertEquals(Outcome.OK, a.commit());
    }
    assertEquals(0, b.balance(1));
    b.commit();
    b.begin(Isolation.SNAPSHOT, true);
    assertEquals(last, b.balance(1));
    b.commit();
  }

  @Test
  void shouldForgetAnAbortedTransaction() {
    a.begin();
    a.insert(1, 10, "x");
    a.commit();
    a.begin();
    a.update(1, 11, "y");
    a.insert(2, 20, "z");
    a.delete(1);
    a.abort();
    a.begin();
    assertEquals(10, a.balance(1));
    assertEquals(-1, a.balance(2));
    assertEquals(List.of(1L), a.ids(true));
    a.commit();
  }

  @Test
  void shouldDeleteAndInsertAgain() {
    for (int i = 0; i < 100; i++) {
      a.begin();
      assertEquals(Outcome.OK, a.insert(1, i, null));
      a.commit();
      a.begin();
      assertEquals(i, a.balance(1));
      assertEquals(Outcome.OK, a.delete(1));
      a.commit();
      a.begin();
      assertEquals(-1, a.balance(1));
      a.commit();
    }
  }

  @Test
  void shouldScanInBothDirections() {
    a.begin();
    LongStream.range(0, 1000).forEach(id -> a.insert(id * 7 % 1000, id, "o" + id % 10));
    List<Long> expected = LongStream.range(0, 1000).boxed().toList();
    assertEquals(expected, a.ids(true));
    assertEquals(expected.reversed(), a.ids(false));
    a.commit();
    b.begin();
    assertEquals(expected, b.ids(true));
    assertEquals(expected.reversed(), b.ids(false));
    b.commit();
    b.begin(Isolation.SNAPSHOT, true);
    assertEquals(expected, b.ids(true));
    b.commit();
  }

  @Test
  void shouldFindRowsByTheirCurrentIndexKeyOnly() {
    IndexStore index = Accounts.addOwnerIndex(engine, table, false);
    a.begin();
    a.insert(1, 0, "b");
    a.insert(2, 0, "a");
    a.insert(3, 0, null);
    a.commit();
    a.begin();
    assertEquals(List.of(3L, 2L, 1L), a.ids(index, true));
    a.update(2, 0, "c");
    assertEquals(List.of(3L, 1L, 2L), a.ids(index, true));
    b.begin(Isolation.SNAPSHOT, true);
    assertEquals(List.of(3L, 2L, 1L), b.ids(index, true));
    a.commit();
    assertEquals(List.of(3L, 2L, 1L), b.ids(index, true));
    b.commit();
    b.begin();
    assertEquals(List.of(3L, 1L, 2L), b.ids(index, true));
    b.commit();
  }

  @Test
  void shouldEnforceUniqueValues() {
    Accounts.addOwnerIndex(engine, table, true);
    a.begin();
    assertEquals(Outcome.OK, a.insert(1, 0, "a"));
    assertEquals(Outcome.DUPLICATE, a.insert(2, 0, "a"));
    assertEquals(Outcome.OK, a.insert(2, 0, "b"));
    assertEquals(Outcome.DUPLICATE, a.update(2, 0, "a"));
    assertEquals(Outcome.OK, a.insert(3, 0, null));
    assertEquals(Outcome.OK, a.insert(4, 0, null));
    a.commit();
    a.begin();
    assertEquals(Outcome.OK, a.update(1, 0, "z"));
    assertEquals(Outcome.OK, a.insert(5, 0, "a"));
    a.commit();
  }

  @Test
  void shouldRollBackWritesToSavepoint() {
    a.begin();
    a.insert(1, 1, "a");
    a.commit();
    a.begin();
    a.update(1, 2, "b");
    long mark = a.transaction.savepoint();
    a.update(1, 3, "c");
    a.insert(2, 2, "d");
    a.transaction.rollbackTo(mark);
    assertEquals(2, a.balance(1));
    assertEquals(-1, a.balance(2));
    assertEquals(Outcome.OK, a.insert(2, 5, "e"));
    a.commit();
    a.begin();
    assertEquals(2, a.balance(1));
    assertEquals(5, a.balance(2));
    a.commit();
  }

  /**
   * A row that was read under a write lock is not read again, and must not be confused with another
   * row.
   */
  @Test
  void shouldWriteGivenRowRegardlessOfLastRead() {
    a.forceLotusKey(55 << 12);
    b.forceLotusKey(55 << 12);
    a.begin();
    a.insert(1, 10, null);
    a.insert(2, 20, null);
    a.commit();
    a.begin();
    assertEquals(10, a.balance(1, LockMode.WRITE));
    assertEquals(Outcome.OK, a.update(2, 21, null));
    assertEquals(Outcome.NOT_FOUND, a.update(3, 31, null));
    long savepoint = a.transaction.savepoint();
    assertEquals(10, a.balance(1, LockMode.WRITE));
    assertEquals(Outcome.OK, a.update(1, 11, null));
    a.transaction.rollbackTo(savepoint);
    assertEquals(Outcome.OK, a.update(1, 12, null));
    a.commit();
    b.begin();
    assertEquals(12, b.balance(1, LockMode.WRITE));
    assertEquals(Outcome.OK, b.delete(1));
    assertEquals(Outcome.NOT_FOUND, b.update(1, 13, null));
    b.commit();
    a.begin();
    assertEquals(-1, a.balance(1));
    assertEquals(Outcome.NOT_FOUND, a.update(1, 14, null));
    assertEquals(21, a.balance(2));
    a.commit();
  }

  @Test
  void shouldRefuseYoungerOfTwoWriters() {
    a.begin();
    a.insert(1, 1, null);
    a.commit();
    a.begin();
    b.begin();
    assertEquals(1, a.balance(1, LockMode.WRITE));
    b.insert(2, 1, null); // without a lock, it would wait until its timeout
    assertEquals(Outcome.CONFLICT, b.get(1, LockMode.WRITE));
    b.abort();
    a.commit();
  }

  @Test
  void shouldFailSnapshotUpdateOfChangedRow() {
    a.begin();
    a.insert(1, 1, null);
    a.commit();
    a.begin(Isolation.SNAPSHOT, false);
    assertEquals(1, a.balance(1));
    b.begin();
    b.update(1, 2, null);
    b.commit();
    assertEquals(Outcome.CONFLICT, a.update(1, 3, null));
    a.abort();
  }
}
