package org.nelumbo.executor.gc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.alloc.ChunkPool;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.OverflowLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.superblock.PoolFormat;

/** Tests the freeing of chains of old versions, separately and together. */
class OverflowChainTest {
  private static final int RECORD = SizeClass.of(100);

  private final LocalFabric fabric = new LocalFabric(1 << 20);
  private final Channel channel = fabric.openChannel(8192);
  private ChunkPool chunks;
  private PoolAllocator allocator;
  private GarbageList garbage;

  @BeforeEach
  void format() {
    PoolFormat.format(fabric, 7);
    chunks = new ChunkPool(fabric, () -> 0);
    allocator = chunks.newAllocator(channel);
    garbage = new GarbageList(channel, allocator, false);
  }

  @AfterEach
  void close() {
    allocator.close();
    channel.close();
    fabric.close();
  }

  private long record() {
    return allocator.allocate(RECORD);
  }

  /** Returns a new overflow block with one version, followed by {@code next}. */
  private long block(long next, long record, long version) {
    long block = allocator.allocate(OverflowLayout.SIZE_CLASS);
    long word0 = CellLayout.word0(1, RECORD, false, record);
    OverflowLayout.write(channel.staging(), 0, next, word0, CellLayout.word1(version, 1));
    channel.write(block, 0, OverflowLayout.LENGTH);
    channel.flush();
    return block;
  }

  private void assertInUse(int records) {
    PoolUsage usage = new PoolUsage();
    chunks.addTo(usage);
    allocator.addTo(usage);
    assertEquals(records, usage.liveBlocks(RECORD));
    assertEquals(0, usage.liveBlocks(OverflowLayout.SIZE_CLASS));
  }

  @Test
  void shouldFreeAllVersions() {
    garbage.freeChain(block(block(0, record(), 3), record(), 4), 5);
    assertInUse(0);
  }

  /**
   * A compute node has failed after it had moved the oldest version of the CVT to the chain, so
   * that both refer to the record.
   */
  @Test
  void shouldKeepRecordReferencedByCvt() {
    garbage.freeChain(block(block(0, record(), 3), record(), 5), 5);
    assertInUse(1);
  }

  /**
   * Several compute nodes have failed at that point, one after the other. The last one has repeated
   * the move and continued.
   */
  @Test
  void shouldFreeRepeatedRecordOnce() {
    long record = record();
    long chain = block(block(0, record(), 3), record, 5);
    chain = block(block(chain, record, 5), record, 5);
    garbage.freeChain(block(chain, record(), 6), 8);
    assertInUse(0);
  }

  @Test
  void shouldDistinguishChainsFreedTogether() {
    long record = record();
    garbage.addLooseChain(block(block(0, record, 5), record, 5), 6, 9);
    garbage.addLooseChain(block(block(0, record(), 6), record(), 7), 7, 9);
    garbage.addLooseChain(block(0, record(), 2), Long.MAX_VALUE, 9);
    assertEquals(3, garbage.freeLooseChains(10));
    assertInUse(1);
  }
}
