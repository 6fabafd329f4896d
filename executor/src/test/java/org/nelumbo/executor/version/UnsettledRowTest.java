package org.nelumbo.executor.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.nelumbo.executor.outcome.Outcome.OK;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.session.Isolation;

/** A row whose version cells nobody can have left so, where a compute node has the pool alone. */
class UnsettledRowTest {
  private final Engine engine = Accounts.quietEngine(1 << 24, fabric -> fabric);
  private final Accounts session = new Accounts(engine, Accounts.create(engine, 2));

  @BeforeEach
  void insert() {
    session.begin();
    assertEquals(OK, session.insert(1, 100, "o"));
    assertEquals(OK, session.commit());
  }

  @AfterEach
  void close() {
    session.close();
    engine.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSayThatARowIsDamagedWhichNobodyIsWriting(boolean torn) {
    Cells.damage(engine.fabric(), session.table, session.lotusKey(1), torn);
    session.begin(Isolation.SERIALIZABLE, true);
    NelumboException error = assertThrows(NelumboException.class, () -> session.balance(1));
    assertEquals(ErrorCode.DATA_CORRUPTED, error.code());
    session.transaction.abort();
  }

  /** Its own lock is no sign that somebody writes. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSayThatARowIsDamagedWhichItHasLockedItself(boolean torn) {
    session.begin(Isolation.SNAPSHOT, false);
    assertEquals(100, session.balance(1, LockMode.WRITE));
    Cells.damage(engine.fabric(), session.table, session.lotusKey(1), torn);
    NelumboException error = assertThrows(NelumboException.class, () -> session.balance(1));
    assertEquals(ErrorCode.DATA_CORRUPTED, error.code());
    session.transaction.abort();
  }
}
