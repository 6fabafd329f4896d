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

/**
 * Tests a row whose version cells are in a state that no writer can have left, in an exclusive
 * pool.
 */
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
  void shouldReportDamagedRowWithoutWriter(boolean torn) {
    Cells.damage(engine.fabric(), session.table, session.lotusKey(1), torn);
    session.begin(Isolation.SERIALIZABLE, true);
    NelumboException error = assertThrows(NelumboException.class, () -> session.balance(1));
    assertEquals(ErrorCode.DATA_CORRUPTED, error.code());
    session.transaction.abort();
  }

  /** The lock of the transaction itself does not indicate a writer. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldReportDamagedRowUnderOwnLock(boolean torn) {
    session.begin(Isolation.SNAPSHOT, false);
    assertEquals(100, session.balance(1, LockMode.WRITE));
    Cells.damage(engine.fabric(), session.table, session.lotusKey(1), torn);
    NelumboException error = assertThrows(NelumboException.class, () -> session.balance(1));
    assertEquals(ErrorCode.DATA_CORRUPTED, error.code());
    session.transaction.abort();
  }
}
