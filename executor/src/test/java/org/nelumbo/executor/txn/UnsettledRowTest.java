package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.nelumbo.executor.outcome.Outcome.OK;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.lock.LockTable;

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

  /** Gives the cells of the row another second word, made of the one that they have. */
  private void damage(boolean torn) {
    try (Channel channel = engine.fabric().openChannel(4096)) {
      long[] found = new long[8];
      assertEquals(1, session.table.hash().lookup(channel, session.lotusKey(1), found));
      int offset = channel.reserve(session.table.cvtBytes());
      channel.read(found[0], offset, session.table.cvtBytes());
      channel.flush();
      MemorySegment staging = channel.staging();
      for (int cell = 0; cell < session.table.versions(); cell++) {
        long at = CvtLayout.cellOffset(cell);
        long word0 = staging.get(ValueLayout.JAVA_LONG, offset + at);
        int cv = CellLayout.headCv(word0);
        if (CellLayout.hasRecord(word0)) {
          long wrong =
              torn
                  ? CellLayout.word1(1, cv + 1 & 0xFF)
                  : CellLayout.word1(CellLayout.INVISIBLE, cv);
          channel.writeLong(found[0] + at + Long.BYTES, wrong);
        }
      }
      channel.flush();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSayThatARowIsDamagedWhichNobodyIsWriting(boolean torn) {
    damage(torn);
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
    assertEquals(100, session.balance(1, LockTable.WRITE));
    damage(torn);
    NelumboException error = assertThrows(NelumboException.class, () -> session.balance(1));
    assertEquals(ErrorCode.DATA_CORRUPTED, error.code());
    session.transaction.abort();
  }
}
