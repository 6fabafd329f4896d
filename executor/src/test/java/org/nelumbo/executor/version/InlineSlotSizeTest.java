package org.nelumbo.executor.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.DistantFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.row.RowLayout;
import org.nelumbo.executor.row.RowWriter;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.session.Isolation;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Tests how large the inline slot of a row is, and how many bytes of it are read. */
@Timeout(120)
class InlineSlotSizeTest {
  private static final long BYTES = 64L << 20;

  /**
   * Memory that was never allocated may be missing, since the file of a node may be unable to grow.
   */
  @Test
  void shouldNotReadBeyondAllocatedMemory() {
    try (Engine engine =
            Accounts.quietEngine(
                16L << 20, fabric -> new HandedOutFabric(new DistantFabric(fabric)));
        Accounts session = new Accounts(engine, Accounts.create(engine, 3))) {
      int atTheEnd = 0;
      for (long id = 0; id < 20_000; id++) {
        session.begin();
        assertEquals(Outcome.OK, session.insert(id, 0, null));
        assertEquals(Outcome.OK, session.commit());
        engine.caches().cvts().remove(session.lotusKey(id));
        session.begin();
        assertEquals(Outcome.OK, session.get(id, LockMode.READ));
        session.commit();
        long end = PoolAddress.offset(session.cvt()) + session.table.rowBytes();
        atTheEnd += end > SuperblockLayout.LENGTH + engine.takenBytes(0) ? 1 : 0;
      }
      assertTrue(atTheEnd > 0, "rows beside which nothing has been handed out");
    }
  }

  @Test
  void shouldGuessOfATableThatNoRowCanFill() {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("ID", ColumnType.of(Kind.BIGINT).withNullable(false)));
    for (int i = 0; i < 5000; i++) {
      columns.add(new Column("C" + i, ColumnType.of(Kind.VARCHAR, 100).withNullable(true)));
    }
    TableSchema schema = new TableSchema(8, "WIDE", columns, new int[] {0}, 0, 2, true, List.of());
    try (Engine engine = Accounts.quietEngine(BYTES, UnaryOperator.identity());
        Coordinator coordinator = engine.openCoordinator()) {
      assertEquals(1024, engine.tables().create(coordinator, schema).inlineSlotBytes());
    }
  }

  /**
   * The row fits into the block of its CVT, a block of its own, or the largest block; otherwise it
   * is rejected in advance.
   */
  @Test
  void shouldStoreRowsUpToMaximumSize() {
    ColumnType text = ColumnType.of(Kind.VARCHAR, 300_000).withNullable(true);
    List<Column> columns =
        List.of(
            new Column("ID", ColumnType.of(Kind.BIGINT).withNullable(false)),
            new Column("TEXT", text));
    TableSchema schema = new TableSchema(8, "LONG", columns, new int[] {0}, 0, 2, true, List.of());
    try (Engine engine = Accounts.quietEngine(BYTES, UnaryOperator.identity());
        Coordinator coordinator = engine.openCoordinator()) {
      TableStore table = engine.tables().create(coordinator, schema);
      RowWriter writer = new RowWriter(table.layout());
      KeyBuffer key = new KeyBuffer();
      RowBuffer row = new RowBuffer();
      Transaction transaction = coordinator.transaction();
      int most = RowLayout.MAX_ROW_BYTES - writeText(writer, key, row, 0);
      for (int length = most - 100; length <= most; length++) {
        writeText(writer, key, row, length);
        transaction.begin(Isolation.SERIALIZABLE, false);
        assertEquals(Outcome.OK, transaction.insert(table, key, row));
        assertEquals(Outcome.OK, transaction.commit());
      }
      assertThrows(NelumboException.class, () -> writeText(writer, key, row, most + 1));
    }
  }

  /**
   * Writes a row with a text of the given length, which is also its key; returns the image length
   * in bytes.
   */
  private static int writeText(RowWriter writer, KeyBuffer key, RowBuffer row, int length) {
    writer.begin();
    writer.setLong(0, length);
    writer.setObject(1, "x".repeat(length));
    writer.finish(key, row);
    return row.length;
  }

  /** A fabric that rejects reads of memory that has not been allocated. */
  private static final class HandedOutFabric extends ForwardingFabric {
    HandedOutFabric(Fabric fabric) {
      super(fabric);
    }

    @Override
    public Channel openChannel(int stagingBytes) {
      Channel looking = super.openChannel(Long.BYTES);
      return new ForwardingChannel(super.openChannel(stagingBytes)) {
        @Override
        public void read(long address, int stagingOffset, int length) {
          looking.read(PoolAddress.of(0, SuperblockLayout.BUMP_OFFSET), 0, Long.BYTES);
          looking.flush();
          long bump = looking.staging().get(ValueLayout.JAVA_LONG, 0);
          long end = PoolAddress.offset(address) + length;
          assertTrue(
              end <= Math.max(bump, SuperblockLayout.LENGTH), "bump=" + bump + " end=" + end);
          super.read(address, stagingOffset, length);
        }

        @Override
        public void close() {
          looking.close();
          super.close();
        }
      };
    }
  }
}
