package org.nelumbo.executor.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.alloc.PartitionMap;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.litmus.InterceptedChannel;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.executor.engine.Coordinator;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.engine.EngineOptions;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.Column;
import org.nelumbo.executor.row.TableSchema;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.session.Isolation;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/**
 * Tests that an overflow block on another node than its CVT is written before a reader can find it.
 */
@Timeout(60)
class ForeignOverflowTest {
  private static final int ROWS = 20;
  private static final int SLOW = 1;
  private static final EngineOptions OPTIONS = EngineOptions.DEFAULT.withCachedCvts(0);

  /**
   * A fabric with one slow node, whose verbs of a flush are executed last. Hooks run before these
   * verbs, and before a reader looks for the overflow block of a CVT that it has read.
   */
  private static final class SlowNode extends ForwardingFabric {
    private volatile Runnable between = () -> {};
    private Runnable beforePointer = () -> {};

    SlowNode(Fabric fabric) {
      super(fabric);
    }

    @Override
    public boolean isRemote() {
      return true;
    }

    @Override
    public Channel openChannel(int stagingBytes) {
      return new SlowChannel(fabric.openChannel(stagingBytes));
    }

    private final class SlowChannel extends InterceptedChannel {
      private final ArrayDeque<Runnable> late = new ArrayDeque<>();
      private final Thread reader = Thread.currentThread();

      SlowChannel(Channel channel) {
        super(channel);
      }

      @Override
      protected void post(long address, Runnable verb) {
        if (PoolAddress.node(address) == SLOW) {
          late.add(verb);
        } else {
          verb.run();
          channel.flush();
        }
      }

      @Override
      public void read(long address, int stagingOffset, int length) {
        if (length == Long.BYTES && Thread.currentThread() == reader) {
          beforePointer.run();
        }
        super.read(address, stagingOffset, length);
      }

      @Override
      public void flush() {
        boolean isWriter = Thread.currentThread() != reader;
        if (isWriter && !late.isEmpty()) {
          between.run();
        }
        late.forEach(Runnable::run);
        late.clear();
        channel.flush();
      }
    }
  }

  /**
   * Creates a table of numbered rows, which are allocated where the last row of the coordinator is.
   */
  private static TableStore create(Engine engine) {
    TableSchema schema =
        new TableSchema(
            9,
            "ACCOUNT",
            List.of(
                new Column("ID", ColumnType.of(Kind.BIGINT).withNullable(false), null, false, true),
                new Column("BALANCE", ColumnType.of(Kind.BIGINT).withNullable(false)),
                new Column("OWNER", ColumnType.of(Kind.VARCHAR, 20).withNullable(true))),
            new int[] {0},
            0,
            2,
            true,
            List.of());
    try (Coordinator coordinator = engine.openCoordinator()) {
      return engine.tables().create(coordinator, schema);
    }
  }

  private static void goTo(Accounts session, int node) {
    PartitionMap map = new PartitionMap(2);
    long key = 0;
    while (map.node(PartitionMap.shard(key)) != node) {
      key++;
    }
    long block = session.coordinator.allocator().allocate(CvtLayout.blockClass(2, 64), key);
    assertEquals(node, PoolAddress.node(block));
  }

  /**
   * A commit reaches its first flush while a reader is between reading a CVT and reading its
   * overflow block.
   */
  @Test
  void shouldWriteOverflowBlockBeforeLinkingIt() throws InterruptedException {
    try (LocalFabric pool = new LocalFabric(2, 16 << 20)) {
      PoolFormat.format(pool, 1);
      SlowNode fabric = new SlowNode(pool);
      Engine engine = new Engine(new SystemEnvironment(), fabric, OPTIONS);
      TableStore table = create(engine);
      Accounts writer = new Accounts(engine, table);
      Accounts reader = new Accounts(engine, table);
      goTo(writer, 0);
      writer.begin();
      for (long id = 0; id < ROWS; id++) {
        assertEquals(Outcome.OK, writer.insert(id, 100 + id, "o"));
      }
      assertEquals(Outcome.OK, writer.commit());
      reader.begin(Isolation.SNAPSHOT, true);
      for (int round = 0; round < 3; round++) {
        for (long id = 0; id < ROWS; id++) {
          goTo(writer, SLOW);
          writer.begin();
          assertEquals(Outcome.OK, writer.update(id, round, "another"));
          assertEquals(100 + id, readWhileItCommits(fabric, reader, writer, id));
          assertEquals(100 + id, reader.balance(id));
        }
      }
      assertTrue(isEvicted(writer, table), "nothing was moved to a block");
    }
  }

  private static long readWhileItCommits(SlowNode fabric, Accounts reader, Accounts writer, long id)
      throws InterruptedException {
    Semaphore begun = new Semaphore(0);
    Semaphore read = new Semaphore(0);
    Thread thread = new Thread(() -> assertEquals(Outcome.OK, writer.commit()));
    fabric.between =
        () -> {
          begun.release();
          // A reader that finds the commit waits for it, so the writer continues after a while.
          pause(read);
        };
    fabric.beforePointer =
        () -> {
          if (thread.getState() == Thread.State.NEW) {
            thread.start();
            begun.acquireUninterruptibly();
          }
        };
    long found = reader.balance(id);
    fabric.beforePointer = () -> {};
    read.release(100);
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    }
    thread.join();
    return found;
  }

  private static void pause(Semaphore until) {
    try {
      boolean _ = until.tryAcquire(20, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns true if a CVT on the other node has an overflow block on the slow node. */
  private static boolean isEvicted(Accounts session, TableStore table) {
    Channel channel = session.coordinator.channel();
    long[] candidates = new long[16];
    int found = table.hash().lookup(channel, session.lotusKey(1), candidates);
    assertNotEquals(0, found);
    int offset = channel.reserve(table.cvtBytes());
    channel.read(candidates[0], offset, table.cvtBytes());
    channel.flush();
    long block = CvtLayout.overflow(channel.staging(), offset);
    return PoolAddress.node(candidates[0]) == 0
        && block != PoolAddress.NULL
        && PoolAddress.node(block) == 1;
  }
}
