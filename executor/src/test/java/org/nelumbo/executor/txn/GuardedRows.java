package org.nelumbo.executor.txn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.index.hash.HashCursor;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.ForwardingChannel;
import org.nelumbo.dm.pool.ForwardingFabric;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.lock.LockMode;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.CvtBatch;
import org.nelumbo.executor.version.RowGuard;

/**
 * A row guard with a lock word in the pool for each CVT, and a record of the calls of the guard and
 * of the READs of its coordinator. Another transaction is played by {@link #lockByAnother}.
 */
final class GuardedRows {
  private static final int WORDS = 512;
  private static final int WORDS_CLASS = SizeClass.of(WORDS * Long.BYTES);
  private static final long FREE = 0;
  private static final long MINE = 1;
  private static final long ANOTHER = 2;

  /** Classes whose READs of CVTs pass no guard, see {@link RowGuard}. */
  private static final Set<String> UNGUARDED =
      Set.of(
          "org.nelumbo.executor.index.UniqueCheck", "org.nelumbo.executor.readahead.RowPrefetch");

  private enum Kind {
    POST,
    READ,
    FLUSH,
    JUDGE
  }

  /** A call of the guard, with the address of a CVT, or a verb. */
  private record Step(Kind kind, long address, LockMode mode) {}

  private final Map<Long, Long> words = new HashMap<>();
  private final List<Step> steps = new ArrayList<>();
  private TableStore table;
  private Channel channel;
  private PoolAllocator allocator;
  private long region;
  private boolean recording;

  /** True if {@link RowGuard#judge} throws. */
  boolean failing;

  /** Outcome of {@link RowGuard#validate}, and the number of its calls. */
  Outcome validation = Outcome.OK;

  int validations;

  /** Number of rows that were posted and not judged when their transaction ended. */
  int unjudgedRows;

  /** Decorates the fabric of the engine. */
  Fabric watched(Fabric of) {
    return new ForwardingFabric(of) {
      @Override
      public Channel openChannel(int stagingBytes) {
        return new Watched(fabric.openChannel(stagingBytes));
      }
    };
  }

  private final class Watched extends ForwardingChannel {
    Watched(Channel channel) {
      super(channel);
    }

    @Override
    public void read(long address, int stagingOffset, int length) {
      if (recording && length == table.cvtBytes() && isGuarded()) {
        steps.add(new Step(Kind.READ, address, null));
      }
      channel.read(address, stagingOffset, length);
    }

    private boolean isGuarded() {
      return StackWalker.getInstance()
          .walk(frames -> frames.noneMatch(each -> UNGUARDED.contains(each.getClassName())));
    }

    @Override
    public void flush() {
      channel.flush();
      if (recording) {
        steps.add(new Step(Kind.FLUSH, 0, null));
      }
    }
  }

  /** Allocates the lock words by a session that is not guarded. */
  void open(Accounts session) {
    table = session.table;
    channel = session.coordinator.channel();
    allocator = session.coordinator.allocator();
    region = allocator.allocate(WORDS_CLASS);
    for (int i = 0; i < WORDS; i++) {
      channel.writeLong(region + (long) i * Long.BYTES, FREE);
    }
    channel.flush();
  }

  void close() {
    allocator.free(region, WORDS_CLASS);
  }

  RowGuard newGuard(CoordinatorContext context) {
    return new Guard(context.channel());
  }

  private long word(long cvt) {
    return words.computeIfAbsent(cvt, _ -> region + (long) words.size() * Long.BYTES);
  }

  private final class Guard extends RowGuard {
    private final Channel channel;
    private final Set<Long> held = new HashSet<>();
    private final long[] cvts = new long[CvtBatch.CAPACITY];
    private final int[] places = new int[CvtBatch.CAPACITY];
    private final BitSet unjudged = new BitSet();

    Guard(Channel channel) {
      this.channel = channel;
    }

    @Override
    public void post(int i, TableStore table, long cvt, LockMode mode) {
      steps.add(new Step(Kind.POST, cvt, mode));
      assertFalse(unjudged.get(i), "posted twice");
      unjudged.set(i);
      cvts[i] = cvt;
      places[i] = channel.reserve(Long.BYTES);
      channel.compareAndSwap(word(cvt), FREE, MINE, places[i]);
    }

    @Override
    public Outcome judge(int i, long newestVersion) {
      steps.add(new Step(Kind.JUDGE, cvts[i], null));
      if (failing) {
        throw new IllegalStateException("a test");
      }
      unjudged.clear(i);
      return take(i) ? Outcome.OK : Outcome.CONFLICT;
    }

    private boolean take(int i) {
      if (channel.hasSwapped(places[i], FREE)) {
        held.add(cvts[i]);
      }
      return held.contains(cvts[i]);
    }

    @Override
    public Outcome validate() {
      validations++;
      return validation;
    }

    @Override
    public void release() {
      unjudgedRows += unjudged.cardinality();
      unjudged.stream().forEach(this::take);
      unjudged.clear();
      for (long cvt : held) {
        channel.writeRelease(word(cvt), MINE, FREE);
      }
      if (!held.isEmpty()) {
        channel.flush();
      }
      held.clear();
    }
  }

  void lockByAnother(long cvt) {
    set(cvt, ANOTHER);
  }

  void unlockByAnother(long cvt) {
    assertEquals(ANOTHER, value(cvt), "a lock of another transaction was released");
    set(cvt, FREE);
  }

  private void set(long cvt, long value) {
    channel.writeLong(word(cvt), value);
    channel.flush();
  }

  private long value(long cvt) {
    int mark = channel.mark();
    int offset = channel.reserve(Long.BYTES);
    channel.read(word(cvt), offset, Long.BYTES);
    channel.flush();
    channel.release(mark);
    return channel.staging().get(ValueLayout.JAVA_LONG, offset);
  }

  /** Returns the number of rows that the guarded transaction has locked. */
  long lockedRows() {
    return List.copyOf(words.keySet()).stream().filter(cvt -> value(cvt) == MINE).count();
  }

  /** Begins a new record. */
  void record() {
    steps.clear();
    recording = true;
  }

  /** Returns the CVTs that were posted, each once, with the modes. */
  Map<Long, LockMode> posted() {
    Map<Long, LockMode> posted = new TreeMap<>();
    for (Step step : steps) {
      if (step.kind == Kind.POST) {
        assertNull(posted.put(step.address, step.mode), "posted twice");
      }
    }
    return posted;
  }

  /**
   * Ends the record and checks it. In each flush the guard posts its verbs before the READs, for
   * the CVTs that are read and no others. It judges all of them before there is another READ.
   */
  void verify() {
    recording = false;
    Set<Long> cvts = cvts();
    List<Long> unread = new ArrayList<>();
    List<Long> read = new ArrayList<>();
    List<Long> unjudged = new ArrayList<>();
    for (Step step : steps) {
      switch (step.kind) {
        case POST -> {
          assertEquals(List.of(), read, "posted after a READ");
          unread.add(step.address);
        }
        case READ -> {
          assertEquals(List.of(), unjudged, "the next READ before all are judged");
          if (unread.remove(step.address)) {
            read.add(step.address);
          } else {
            assertFalse(cvts.contains(step.address), "read and not posted");
          }
        }
        case FLUSH -> {
          assertEquals(List.of(), unread, "posted and not read");
          unjudged.addAll(read);
          read.clear();
        }
        case JUDGE -> assertTrue(unjudged.remove(step.address), "judged and not read");
      }
    }
    assertEquals(List.of(), unjudged, "not judged");
  }

  /** Returns the CVTs of the table. */
  private Set<Long> cvts() {
    Set<Long> cvts = new HashSet<>();
    HashCursor cursor = table.hash().newCursor();
    for (int count = cursor.next(channel); count > 0; count = cursor.next(channel)) {
      for (int i = 0; i < count; i++) {
        cvts.add(cursor.cvt(i));
      }
    }
    return cvts;
  }
}
