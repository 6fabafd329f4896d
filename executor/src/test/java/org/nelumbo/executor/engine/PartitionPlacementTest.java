package org.nelumbo.executor.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.alloc.PartitionMap;
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.dm.layout.OverflowLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.replication.FragileNodes;
import org.nelumbo.dm.replication.ReplicatedFabric;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.executor.outcome.Outcome;
import org.nelumbo.executor.row.LotusKeys;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.txn.Accounts;
import org.nelumbo.session.Isolation;

/** Tests the placement of rows on a pool of five memory nodes with three copies. */
@Timeout(120)
class PartitionPlacementTest {
  private static final int NODES = 5;
  private static final int COPIES = 3;
  private static final long SLOT_BYTES = 2 << 20;
  private static final int SHARD = 3;

  private final PartitionMap map = new PartitionMap(NODES);
  private final FragileNodes nodes = new FragileNodes(NODES, 4096 + COPIES * SLOT_BYTES);
  private final Engine engine = openEngine();
  private final TableStore table = Accounts.create(engine, 2);
  private final Accounts session = new Accounts(engine, table);

  private Engine openEngine() {
    SystemEnvironment environment = new SystemEnvironment();
    Fabric fabric = nodes.open(environment, ReplicatedFabric.Options.DEFAULT);
    PoolFormat.format(fabric, 1);
    return new Engine(environment, fabric, EngineOptions.DEFAULT);
  }

  @AfterEach
  void close() {
    session.close();
    engine.close();
    nodes.close();
  }

  private void insert(long id) {
    session.begin();
    assertEquals(Outcome.OK, session.insert(id, id, "a"));
    assertEquals(Outcome.OK, session.commit());
  }

  private void update(long id, long balance, String owner) {
    session.begin();
    assertEquals(Outcome.OK, session.update(id, balance, owner));
    assertEquals(Outcome.OK, session.commit());
  }

  /** Returns the nodes of the CVT, the overflow blocks and the records of a row. */
  private BitSet nodesOf(long lotusKey) {
    BitSet found = new BitSet();
    Channel channel = session.coordinator.channel();
    int mark = channel.mark();
    int cvt = channel.reserve(table.cvtBytes());
    int block = channel.reserve(OverflowLayout.LENGTH);
    found.set(PoolAddress.node(readCvt(lotusKey, cvt)));
    for (int cell = 0; cell < table.versions(); cell++) {
      addRecord(found, CvtLayout.word0(channel.staging(), cvt, cell));
    }
    long next = CvtLayout.overflow(channel.staging(), cvt);
    while (next != PoolAddress.NULL) {
      found.set(PoolAddress.node(next));
      channel.read(next, block, OverflowLayout.LENGTH);
      channel.flush();
      addRecord(found, OverflowLayout.word0(channel.staging(), block));
      next = OverflowLayout.next(channel.staging(), block);
    }
    channel.release(mark);
    return found;
  }

  /**
   * Reads the CVT of a key, among the candidates with the same fingerprint; returns its address.
   */
  private long readCvt(long lotusKey, int offset) {
    Channel channel = session.coordinator.channel();
    long[] candidates = new long[16];
    int count = table.hash().lookup(channel, lotusKey, candidates);
    for (int i = 0; i < count; i++) {
      channel.read(candidates[i], offset, table.cvtBytes());
      channel.flush();
      if (CvtLayout.lotusKey(channel.staging(), offset) == lotusKey) {
        return candidates[i];
      }
    }
    throw new AssertionError("no CVT of " + Long.toHexString(lotusKey));
  }

  private static void addRecord(BitSet found, long word0) {
    if (CellLayout.isValid(word0) && CellLayout.hasRecord(word0)) {
      found.set(PoolAddress.node(CellLayout.address(word0)));
    }
  }

  private static BitSet only(int node) {
    BitSet one = new BitSet();
    one.set(node);
    return one;
  }

  @Test
  void shouldAgreeWithLotusKeysOnShards() {
    assertEquals(LotusKeys.SHARDS, PartitionMap.SHARDS);
    long key = session.lotusKey(77);
    assertEquals(LotusKeys.shard(key), PartitionMap.shard(key));
  }

  @Test
  void shouldPutAllVersionsOfARowOnTheNodeOfItsShard() {
    try (Accounts reader = new Accounts(engine, table)) {
      for (long id = 1; id <= 200; id++) {
        insert(id);
      }
      reader.begin(Isolation.SNAPSHOT, true);
      assertEquals(7, reader.balance(7));
      for (long round = 1; round <= 4; round++) {
        for (long id = 1; id <= 200; id++) {
          update(id, round, "b".repeat((int) round * 4));
        }
      }
      for (long id = 1; id <= 200; id++) {
        long key = session.lotusKey(id);
        assertEquals(only(map.node(LotusKeys.shard(key))), nodesOf(key), "id=" + id);
      }
      assertEquals(7, reader.balance(7), "from an overflow block");
      reader.commit();
    }
  }

  @Test
  void shouldTalkOnlyToTheNodesOfItsShardWhenItCommits() {
    int home = map.node(SHARD);
    session.forceLotusKey(1L << 12 | SHARD);
    insert(1);
    session.forceLotusKey(2L << 12 | SHARD);
    insert(2);
    AtomicLong asked = new AtomicLong();
    Thread me = Thread.currentThread();
    nodes.setBeforeVerb(
        node -> {
          if (Thread.currentThread() == me) {
            asked.accumulateAndGet(1L << node, (all, one) -> all | one);
          }
        });
    update(2, 5, "b");
    session.forceLotusKey(1L << 12 | SHARD);
    update(1, 6, "c");
    nodes.setBeforeVerb(node -> {});
    long expected = 0;
    for (int copy = 0; copy < COPIES; copy++) {
      expected |= 1L << (home + copy) % NODES;
    }
    assertEquals(Long.toBinaryString(expected), Long.toBinaryString(asked.get()));
  }

  @Test
  void shouldUseOtherNodesUntilAllAreFull() {
    int rows = 0;
    Outcome status = Outcome.OK;
    String owner = "x".repeat(20);
    BitSet used = new BitSet();
    int firstAway = -1;
    while (status == Outcome.OK) {
      session.forceLotusKey((long) (rows + 1) << 12 | SHARD);
      session.begin();
      status = session.insert(rows, 1, owner);
      if (status == Outcome.OK) {
        status = session.commit();
      } else {
        session.abort();
      }
      if (status == Outcome.OK) {
        BitSet where = nodesOf((long) (rows + 1) << 12 | SHARD);
        if (firstAway < 0 && !where.get(map.node(SHARD))) {
          firstAway = where.nextSetBit(0);
        }
        used.or(where);
        rows++;
      }
    }
    assertEquals(Outcome.EXHAUSTED, status);
    assertEquals(map.next(SHARD, map.node(SHARD)), firstAway);
    assertEquals(NODES, used.cardinality());
    long bytes = (long) rows * (64 + 64);
    assertTrue(bytes > 0.6 * NODES * SLOT_BYTES, "rows=" + rows);
    assertTrue(engine.takenBytes() > 0.85 * NODES * SLOT_BYTES, "taken=" + engine.takenBytes());
  }
}
