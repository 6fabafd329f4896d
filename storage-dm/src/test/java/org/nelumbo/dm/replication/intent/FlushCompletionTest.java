package org.nelumbo.dm.replication.intent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.fabric.local.LocalMemory;
import org.nelumbo.dm.fabric.local.NodeMemory;
import org.nelumbo.dm.layout.NodeHeaderLayout;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.FragileNodes;
import org.nelumbo.dm.replication.view.Placement;
import org.nelumbo.dm.replication.view.ResyncProgress;
import org.nelumbo.dm.replication.view.View;

/**
 * Tests the completion of a flush of a failed compute node, above all where a memory node does not
 * have its intent: it was filled since, or the intent was removed.
 */
class FlushCompletionTest {
  private static final int NODES = 3;
  private static final int FILLED = 2;
  private static final long NODE_BYTES = 4096 + NODES * (256L << 10);
  private static final long DEAD = 7;
  private static final long SELF = 8;
  private static final long EARLIER = 6;
  private static final long WORD = 8192;

  private final SystemEnvironment environment = new SystemEnvironment();
  private final FragileNodes nodes = new FragileNodes(NODES, NODE_BYTES);
  private final Placement placement = Placement.of(NODES, NODES, 1, NODE_BYTES);
  private final NodeConnection[] connections = new NodeConnection[NODES];

  @AfterEach
  void close() {
    nodes.close();
  }

  private View view(long number, int live) {
    NodeConnection[] some = new NodeConnection[NODES];
    for (int node = 0; node < live; node++) {
      if (connections[node] == null) {
        connections[node] = nodes.connectors().get(node).connect();
      }
      some[node] = connections[node];
    }
    return new View(number, placement, some, new ResyncProgress[NODES]);
  }

  private long place(int node) {
    return PoolAddress.of(0, placement.offset(0, placement.copy(node, 0), WORD));
  }

  private void put(int node, long value) {
    try (Channel channel = nodes.inspect(node)) {
      channel.writeLong(place(node), value);
      channel.flush();
    }
  }

  private long get(int node) {
    try (Channel channel = nodes.inspect(node)) {
      channel.read(place(node), 0, Long.BYTES);
      channel.flush();
      return channel.staging().get(ValueLayout.JAVA_LONG, 0);
    }
  }

  /** Reserves intent records for the compute node that fails, on the first memory nodes. */
  private FlushIntents enter(View view) {
    return enter(view, DEAD);
  }

  private FlushIntents enter(View view, long tenant) {
    NodeMemory[] memories = new NodeMemory[NODES];
    for (int node = 0; node < NODES; node++) {
      memories[node] = LocalMemory.reserve(64 << 10);
    }
    try (LocalFabric counters = new LocalFabric(memories);
        Channel pool = counters.openChannel(Long.BYTES);
        IntentTable table = new IntentTable(environment, view)) {
      for (int node = 0; node < NODES; node++) {
        pool.writeLong(PoolAddress.of(node, SuperblockLayout.BUMP_OFFSET), 64 << 10);
      }
      pool.flush();
      FlushIntents own = table.enter(tenant, table.take(tenant), pool);
      table.reserve(own, FILLED, pool);
      return own;
    }
  }

  /** Writes the word to some memory nodes, and marks it as done there. */
  private void flush(FlushIntents own, long value, int... at) {
    flush(own, value, true, at);
  }

  /**
   * Writes the word to some memory nodes.
   *
   * @param isMarked true if the flush is marked as done there
   */
  private void flush(FlushIntents own, long value, boolean isMarked, int... at) {
    int record = own.take();
    long flush = own.nextFlush(record);
    MemorySegment intent =
        Arena.ofAuto().allocate(IntentLayout.RECORD_LENGTH, IntentLayout.RECORD_LENGTH);
    IntentLayout.begin(intent, 0, flush);
    IntentLayout.add(intent, 0, IntentLayout.WRITE_WORD, 0, WORD, Long.BYTES, value, 0);
    IntentLayout.seal(intent, 0);
    int length = IntentLayout.length(intent, 0);
    for (int node : at) {
      put(node, value);
      try (Channel channel = nodes.inspect(node)) {
        long to = PoolAddress.of(0, own.recordAddress(node, record));
        MemorySegment.copy(intent, 0, channel.staging(), 0, length);
        channel.write(to, 0, length);
        if (isMarked) {
          channel.writeLong(to + IntentLayout.doneOffset(), IntentLayout.done(flush, 1));
        }
        channel.flush();
      }
    }
    own.give(record);
  }

  private void complete(View view) {
    try (FlushCompletion completion = new FlushCompletion(environment, view, SELF)) {
      assertTrue(completion.complete(DEAD, _ -> false, () -> false));
    }
  }

  private void assertAll(long value) {
    for (int node = 0; node < NODES; node++) {
      assertEquals(value, get(node), "node=" + node);
    }
  }

  /**
   * The node was a backup when the failed compute node began to write there; the former primary has
   * failed.
   */
  @Test
  void shouldCompleteFlushThatOnlyPrimaryHas() {
    nodes.setExecutesFrames(false);
    View before = view(1, NODES);
    FlushIntents own = enter(before);
    for (int node = 0; node < NODES; node++) {
      put(node, 1);
    }
    int failed = before.primary(0);
    View after = before.with(2, failed, null, null);
    flush(own, 2, false, after.primary(0));
    complete(after);
    for (int node = 0; node < NODES; node++) {
      assertEquals(node == failed ? 1 : 2, get(node), "node=" + node);
    }
  }

  /** The flush was completed everywhere, and other compute nodes have written since. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldNotRepeatFlushCompletedBeforeFill(boolean executesFrames) {
    nodes.setExecutesFrames(executesFrames);
    View before = view(1, FILLED);
    FlushIntents own = enter(before);
    flush(own, 5, 0, 1);
    for (int node = 0; node < NODES; node++) {
      put(node, 9);
    }
    View after = view(2, NODES);
    try (IntentTable table = new IntentTable(environment, after)) {
      table.extend(own, FILLED);
    }
    complete(after);
    assertAll(9);
  }

  /**
   * A compute node that is about to exclude a memory node has completed the flushes at the others,
   * and removed the records there. Another one, which still has the earlier view, does it again.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldNotRepeatFlushesThatWereCompletedInALaterView(boolean executesFrames) {
    nodes.setExecutesFrames(executesFrames);
    View before = view(1, NODES);
    FlushIntents own = enter(before);
    flush(own, 5, 0, 1, 2);
    for (int node = 0; node < NODES; node++) {
      put(node, 9);
    }
    complete(before.with(2, before.primary(0), null, null));
    assertAll(9);
    complete(before);
    assertAll(9);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldCompleteFlushStartedAfterFill(boolean executesFrames) {
    nodes.setExecutesFrames(executesFrames);
    FlushIntents own = enter(view(1, FILLED));
    View after = view(2, NODES);
    try (IntentTable table = new IntentTable(environment, after)) {
      table.extend(own, FILLED);
    }
    flush(own, 5, FILLED);
    complete(after);
    assertAll(5);
  }

  /**
   * A compute node fails while it enters, before each verb in turn. On some memory nodes it has the
   * records of its predecessor, which left in order.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldIgnoreIntentsOfDepartedPredecessor(boolean executesFrames) {
    nodes.setExecutesFrames(executesFrames);
    View view = view(1, NODES);
    boolean hasDied = true;
    for (int verbs = 0; hasDied; verbs++) {
      FlushIntents own = enter(view, EARLIER);
      flush(own, 5, 0, 1, 2);
      try (IntentTable table = new IntentTable(environment, view)) {
        table.leave(EARLIER);
      }
      for (int node = 0; node < NODES; node++) {
        put(node, 9);
      }
      AtomicInteger left = new AtomicInteger(verbs);
      nodes.setBeforePost(
          () -> {
            if (left.getAndDecrement() == 0) {
              throw new OutOfMemoryError("this compute node dies");
            }
          });
      try {
        enter(view);
        hasDied = false;
      } catch (OutOfMemoryError e) {
        hasDied = true;
      }
      nodes.setBeforePost(() -> {});
      complete(view);
      assertAll(9);
    }
  }

  private List<Long> header(int node) {
    try (Channel channel = nodes.inspect(node)) {
      List<Long> words = new ArrayList<>();
      for (int at = 0; at < NodeHeaderLayout.LENGTH; at += Long.BYTES) {
        channel.read(PoolAddress.of(0, at), 0, Long.BYTES);
        channel.flush();
        words.add(channel.staging().get(ValueLayout.JAVA_LONG, 0));
      }
      return words;
    }
  }

  /**
   * The failed compute node has no block on that node. Intents of other nodes would be written to
   * the offset of the header.
   */
  @Test
  void shouldKeepHeaderOfNodeWithoutIntentBlock() {
    FlushIntents own = enter(view(1, NODES - 1));
    List<Long> before = header(FILLED);
    flush(own, 5, 1);
    complete(view(2, NODES));
    assertAll(5);
    assertEquals(before, header(FILLED));
  }
}
