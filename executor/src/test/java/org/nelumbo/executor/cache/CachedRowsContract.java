package org.nelumbo.executor.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.nelumbo.executor.outcome.Outcome.OK;
import static org.nelumbo.session.Isolation.SERIALIZABLE;
import static org.nelumbo.session.Isolation.SNAPSHOT;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;

/** Tests that cached rows of a compute node are never stale, whatever caches it has. */
abstract class CachedRowsContract {
  Engine engine;
  TableStore table;
  Accounts a;
  Accounts b;

  abstract Engine newEngine();

  @BeforeEach
  final void open() {
    engine = newEngine();
    table = Accounts.create(engine, 2);
    a = new Accounts(engine, table);
    b = new Accounts(engine, table);
    a.begin();
    for (int id = 0; id < 10; id++) {
      a.insert(id, 100 + id, null);
    }
    a.commit();
  }

  @AfterEach
  final void close() {
    a.close();
    b.close();
    engine.close();
  }

  @Test
  void shouldReadCommitsOfOtherTransactions() {
    for (int i = 0; i < 100; i++) {
      b.begin();
      assertEquals(OK, b.update(1, i, "x".repeat(i % 20)));
      b.commit();
      a.begin(SNAPSHOT, true);
      assertEquals(i, a.balance(1));
      a.commit();
      a.begin(SERIALIZABLE, false);
      assertEquals(i, a.balance(1));
      a.commit();
    }
  }

  @Test
  void shouldHideLaterCommitsFromSnapshot() {
    a.begin(SNAPSHOT, true);
    for (int i = 0; i < 5; i++) {
      b.begin();
      b.update(2, i, null);
      b.commit();
    }
    assertEquals(102, a.balance(2));
    a.commit();
  }

  @Test
  void shouldFindARowThatWasDeletedAndInsertedAgain() {
    for (int i = 0; i < 200; i++) {
      b.begin();
      assertEquals(OK, b.delete(5));
      b.commit();
      a.begin(SNAPSHOT, true);
      assertEquals(-1, a.balance(5));
      a.commit();
      b.begin();
      assertEquals(OK, b.insert(5, i, null));
      b.commit();
      a.begin(SNAPSHOT, true);
      assertEquals(i, a.balance(5));
      a.commit();
    }
  }

  @Test
  void shouldForgetRolledBackRows() {
    a.begin();
    a.insert(30, 1, null);
    a.abort();
    a.begin();
    assertEquals(-1, a.balance(30));
    assertEquals(OK, a.insert(30, 2, null));
    a.commit();
    a.begin(SNAPSHOT, true);
    assertEquals(2, a.balance(30));
    a.commit();
  }

  @Test
  void shouldDistinguishRowsWithSameLotusKey() {
    a.forceLotusKey(77 << 12);
    b.forceLotusKey(77 << 12);
    a.begin();
    a.insert(101, 1, null);
    a.insert(102, 2, null);
    a.commit();
    for (int i = 0; i < 3; i++) {
      for (boolean readOnly : new boolean[] {true, false}) {
        b.begin(SERIALIZABLE, readOnly);
        assertEquals(1, b.balance(101));
        assertEquals(2, b.balance(102));
        assertEquals(-1, b.balance(103));
        b.commit();
      }
      a.begin();
      a.update(101, 1, "again");
      a.commit();
    }
  }
}
