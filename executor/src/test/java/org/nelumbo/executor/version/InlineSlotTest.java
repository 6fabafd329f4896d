package org.nelumbo.executor.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.CountingFabric;
import org.nelumbo.dm.pool.DistantFabric;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.executor.engine.Engine;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.session.Isolation;

/**
 * Tests which versions of a row are stored in the inline slot, and that readers get the right one.
 */
@Timeout(120)
class InlineSlotTest {
  private static final long BYTES = 64L << 20;

  /** Returns true if the newest version of a row is in the inline slot. */
  private static boolean isInInlineSlot(Accounts session, long id) {
    Channel channel = session.coordinator.channel();
    MemorySegment staging = channel.staging();
    int mark = channel.mark();
    int offset = readCvt(session, cvt(session, id));
    int cell = VisibilityRules.newest(staging, offset, session.table.versions());
    long address = CellLayout.address(CvtLayout.word0(staging, offset, cell));
    channel.release(mark);
    return CvtLayout.isInline(address);
  }

  private static long cvt(Accounts session, long id) {
    session.begin();
    assertEquals(Outcome.OK, session.get(id, LockMode.READ));
    session.commit();
    return session.cvt();
  }

  private static int readCvt(Accounts session, long cvt) {
    Channel channel = session.coordinator.channel();
    int offset = channel.reserve(session.table.cvtBytes());
    channel.read(cvt, offset, session.table.cvtBytes());
    channel.flush();
    return offset;
  }

  private static void update(Accounts session, long id, long balance, String owner) {
    session.begin();
    assertEquals(Outcome.OK, session.update(id, balance, owner));
    assertEquals(Outcome.OK, session.commit());
  }

  private static void insert(Accounts session, long id, long balance, String owner) {
    session.begin();
    assertEquals(Outcome.OK, session.insert(id, balance, owner));
    assertEquals(Outcome.OK, session.commit());
  }

  @Test
  void shouldStoreEverySecondVersionInline() {
    try (Engine engine = Accounts.quietEngine(BYTES, UnaryOperator.identity());
        Accounts session = new Accounts(engine, Accounts.create(engine, 2))) {
      insert(session, 1, 0, "abc");
      for (int i = 1; i <= 9; i++) {
        assertEquals(i % 2 == 1, isInInlineSlot(session, 1), "version=" + i);
        update(session, 1, i, "abc");
      }
    }
  }

  @Test
  void shouldStoreLongerVersionOutOfLine() {
    try (Engine engine = Accounts.quietEngine(BYTES, UnaryOperator.identity());
        Accounts session = new Accounts(engine, Accounts.create(engine, 2))) {
      insert(session, 1, 0, null);
      for (int i = 1; i <= 4; i++) {
        update(session, 1, i, "x".repeat(20));
        assertFalse(isInInlineSlot(session, 1), "version=" + i);
      }
      update(session, 1, 5, null);
      assertTrue(isInInlineSlot(session, 1), "short again");
    }
  }

  @Test
  void shouldKeepInlineVersionNeededBySnapshot() {
    try (Engine engine = Accounts.quietEngine(BYTES, UnaryOperator.identity());
        Accounts session = new Accounts(engine, Accounts.create(engine, 2));
        Accounts reader = new Accounts(engine, session.table)) {
      insert(session, 1, 7, "abc");
      reader.begin(Isolation.SNAPSHOT, true);
      for (int i = 1; i <= 5; i++) {
        update(session, 1, 100 + i, "abc");
        assertFalse(isInInlineSlot(session, 1), "version=" + i);
      }
      assertEquals(7, reader.balance(1));
      reader.commit();
    }
  }

  /**
   * Runs several snapshots, with rows that change, grow, shrink, are deleted and are inserted
   * again.
   */
  @ParameterizedTest
  @CsvSource({"1,false", "2,false", "3,false", "2,true", "4,true"})
  void shouldShowEachSnapshotItsVersions(int versions, boolean remote) {
    UnaryOperator<Fabric> decorator = remote ? DistantFabric::new : UnaryOperator.identity();
    for (int seed = 0; seed < 4; seed++) {
      Random random = new Random(seed);
      try (Engine engine = Accounts.quietEngine(BYTES, decorator);
          Accounts writer = new Accounts(engine, Accounts.create(engine, versions));
          Snapshots snapshots = new Snapshots(engine, writer.table)) {
        Map<Long, Long> now = new HashMap<>();
        for (int step = 1; step <= 2000; step++) {
          change(writer, now, random, step);
          if (random.nextInt(20) == 0) {
            snapshots.replace(random.nextInt(Snapshots.COUNT), now);
          }
          if (random.nextInt(4) == 0) {
            snapshots.check(random.nextInt(Snapshots.COUNT), random.nextLong(8));
          }
          if (remote && random.nextInt(4) == 0) {
            engine.caches().cvts().remove(writer.lotusKey(random.nextLong(8)));
          }
        }
      }
    }
  }

  private static void change(Accounts writer, Map<Long, Long> now, Random random, long step) {
    long id = random.nextLong(8);
    String owner = "o".repeat(random.nextInt(20));
    if (!now.containsKey(id)) {
      insert(writer, id, step, owner);
      now.put(id, step);
    } else if (random.nextInt(5) == 0) {
      writer.begin();
      assertEquals(Outcome.OK, writer.delete(id));
      assertEquals(Outcome.OK, writer.commit());
      now.remove(id);
    } else {
      update(writer, id, step, owner);
      now.put(id, step);
    }
  }

  /** Sessions with one snapshot each, and the expected content of each snapshot. */
  private static final class Snapshots implements AutoCloseable {
    static final int COUNT = 3;

    private final List<Accounts> readers = new ArrayList<>();
    private final List<Map<Long, Long>> seen = new ArrayList<>();

    Snapshots(Engine engine, TableStore table) {
      for (int i = 0; i < COUNT; i++) {
        readers.add(new Accounts(engine, table).begin(Isolation.SNAPSHOT, true));
        seen.add(Map.of());
      }
    }

    void replace(int i, Map<Long, Long> now) {
      readers.get(i).commit();
      readers.get(i).begin(Isolation.SNAPSHOT, true);
      seen.set(i, Map.copyOf(now));
    }

    void check(int i, long id) {
      assertEquals(seen.get(i).getOrDefault(id, -1L), readers.get(i).balance(id), "id=" + id);
    }

    @Override
    public void close() {
      readers.forEach(Accounts::abort);
      readers.forEach(Accounts::close);
    }
  }

  @Test
  void shouldFreeInlineSlotWithRow() {
    try (Engine engine = Accounts.quietEngine(2L << 20, UnaryOperator.identity());
        Accounts session = new Accounts(engine, Accounts.create(engine, 2))) {
      Random random = new Random(5);
      for (int round = 0; round < 30_000; round++) {
        long id = round % 20;
        insert(session, id, round, "o".repeat(random.nextInt(20)));
        update(session, id, round, "o".repeat(random.nextInt(20)));
        session.begin();
        assertEquals(Outcome.OK, session.delete(id));
        assertEquals(Outcome.OK, session.commit());
      }
    }
  }

  @Test
  void shouldReadUncachedInlineRowInTwoRoundTrips() {
    try (Engine engine =
            Accounts.quietEngine(BYTES, fabric -> new CountingFabric(new DistantFabric(fabric)));
        Accounts session = new Accounts(engine, Accounts.create(engine, 2))) {
      insert(session, 1, 0, "abc");
      assertEquals(2, roundTripsOfUnknown(engine, session), "in the inline slot");
      update(session, 1, 1, "abc");
      assertEquals(3, roundTripsOfUnknown(engine, session), "elsewhere");
      update(session, 1, 2, "abc");
      assertEquals(2, roundTripsOfUnknown(engine, session), "in the inline slot again");
    }
  }

  private static long roundTripsOfUnknown(Engine engine, Accounts session) {
    engine.caches().cvts().remove(session.lotusKey(1));
    session.begin(Isolation.SNAPSHOT, true);
    long before = session.coordinator.counters().roundTrips();
    assertEquals(Outcome.OK, session.get(1, LockMode.READ));
    long taken = session.coordinator.counters().roundTrips() - before;
    session.commit();
    return taken;
  }

  /**
   * A commit is in progress: its record was not written yet when the inline slot was read first.
   */
  @Test
  void shouldNotUseRecordReadBeforeItsCell() {
    Interruptions interruptions = new Interruptions();
    try (Engine engine =
            Accounts.quietEngine(
                BYTES, fabric -> new InterruptedFabric(new DistantFabric(fabric), interruptions));
        Accounts writer = new Accounts(engine, Accounts.create(engine, 2));
        Accounts reader = new Accounts(engine, writer.table)) {
      insert(writer, 1, 100, "abc");
      final long cvt = cvt(writer, 1);
      update(writer, 1, 200, "abc");
      byte[] before = bytes(writer, cvt);
      update(writer, 1, 300, "abc");
      byte[] after = bytes(writer, cvt);
      byte[] between = after.clone();
      int slot = CvtLayout.bytes(2);
      System.arraycopy(before, slot, between, slot, before.length - slot);
      int cell = CvtLayout.cellOffset(0) + Long.BYTES;
      MemorySegment cells = MemorySegment.ofArray(between);
      long word1 = cells.get(ValueLayout.JAVA_LONG_UNALIGNED, cell);
      cells.set(
          ValueLayout.JAVA_LONG_UNALIGNED,
          cell,
          CellLayout.word1(CellLayout.INVISIBLE, CellLayout.tailCv(word1)));
      write(writer, cvt, between);
      engine.caches().cvts().remove(writer.lotusKey(1));
      reader.begin(Isolation.SNAPSHOT, true);
      interruptions.beforeFlush(3, () -> write(writer, cvt, after)); // index, CVT, CVT again
      assertEquals(300, reader.balance(1));
      assertEquals(0, interruptions.flushesLeft);
      reader.commit();
    }
  }

  /** Returns the first bytes of the block of a row. */
  private static byte[] bytes(Accounts session, long cvt) {
    Channel channel = session.coordinator.channel();
    int mark = channel.mark();
    byte[] bytes = new byte[session.table.rowBytes()];
    int offset = channel.reserve(bytes.length);
    channel.read(cvt, offset, bytes.length);
    channel.flush();
    MemorySegment.copy(channel.staging(), ValueLayout.JAVA_BYTE, offset, bytes, 0, bytes.length);
    channel.release(mark);
    return bytes;
  }

  private static void write(Accounts session, long cvt, byte[] bytes) {
    Channel channel = session.coordinator.channel();
    int mark = channel.mark();
    int offset = channel.reserve(bytes.length);
    MemorySegment.copy(bytes, 0, channel.staging(), ValueLayout.JAVA_BYTE, offset, bytes.length);
    channel.write(cvt, offset, bytes.length);
    channel.flush();
    channel.release(mark);
  }

  /** An action that runs before a later flush. */
  private static final class Interruptions {
    private int flushesLeft;
    private Runnable action;

    void beforeFlush(int which, Runnable todo) {
      flushesLeft = which;
      action = todo;
    }

    void flushing() {
      if (flushesLeft > 0 && --flushesLeft == 0) {
        action.run();
      }
    }
  }

  private static final class InterruptedFabric extends ForwardingFabric {
    private final Interruptions interruptions;

    InterruptedFabric(Fabric fabric, Interruptions interruptions) {
      super(fabric);
      this.interruptions = interruptions;
    }

    @Override
    public Channel openChannel(int stagingBytes) {
      return new ForwardingChannel(super.openChannel(stagingBytes)) {
        @Override
        public void flush() {
          interruptions.flushing();
          super.flush();
        }
      };
    }
  }
}
