package org.nelumbo.dm.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.dm.superblock.PoolOwner;

/** Compute nodes leave a pool that others have open; what they had free is used by these. */
class LeftMemoryTest {
  private static final ComputeNodeEntry LEAVING = new ComputeNodeEntry(2, 1);
  private static final long LEFT_AT = 20;

  private final LocalFabric fabric = new LocalFabric(2, 8 << 20);
  private final Channel channel = fabric.openChannel(8192);

  /** Nobody has an older snapshot. */
  private long horizon = LEFT_AT + 1;

  private final ChunkPool staying = new ChunkPool(fabric, () -> horizon);

  /** Blocks in use, with their classes. */
  private final Map<Long, Integer> live = new HashMap<>();

  @BeforeEach
  void format() {
    PoolFormat.format(fabric, 7);
  }

  @AfterEach
  void close() {
    channel.close();
    fabric.close();
  }

  /** Allocates, frees and retires for a while; some blocks stay. */
  private void work(ChunkPool chunks, Random random, int steps) {
    try (PoolAllocator allocator = chunks.newAllocator(channel)) {
      List<Long> blocks = new ArrayList<>(live.keySet());
      for (int i = 0; i < steps; i++) {
        if (!blocks.isEmpty() && random.nextInt(3) == 0) {
          long block = blocks.remove(random.nextInt(blocks.size()));
          int sizeClass = live.remove(block);
          if (random.nextBoolean()) {
            allocator.free(block, sizeClass);
          } else {
            allocator.retire(block, sizeClass, LEFT_AT);
          }
        } else {
          int sizeClass = random.nextInt(SizeClass.of(4 << 10));
          long block = allocator.allocate(sizeClass);
          if (block != PoolAddress.NULL) {
            assertNull(live.put(block, sizeClass), "handed out twice");
            blocks.add(block);
          }
        }
      }
    }
  }

  /** A compute node comes, works and leaves. */
  private void comeAndGo(int seed, int steps) {
    ChunkPool chunks = new ChunkPool(fabric, () -> 0);
    work(chunks, new Random(seed), steps);
    LeftMemory.leave(fabric, chunks, LEAVING, _ -> LEFT_AT);
    PoolUsage usage = usage(chunks);
    assertTrue(usage.isBalanced(), usage::toString);
  }

  /** What the entry names; NULL if nothing. */
  private long left() {
    int mark = channel.mark();
    int table = ComputeNodeTable.postRead(channel);
    channel.flush();
    long first = ComputeNodeTable.memoryLeft(channel.staging(), table, LEAVING.entry());
    int entry = ComputeNodeTable.entryWithMemory(channel.staging(), table);
    assertEquals(first == PoolAddress.NULL ? -1 : LEAVING.entry(), entry);
    channel.release(mark);
    return first;
  }

  private void adopt(ChunkPool chunks, long first) {
    LeftMemory.adopt(fabric, chunks, LEAVING.entry(), first);
    chunks.giveAdopted();
  }

  private static PoolUsage usage(ChunkPool chunks) {
    PoolUsage usage = new PoolUsage();
    chunks.addTo(usage);
    return usage;
  }

  private long bump() {
    long bytes = 0;
    for (int node = 0; node < fabric.nodeCount(); node++) {
      channel.read(PoolAddress.of(node, SuperblockLayout.BUMP_OFFSET), 0, Long.BYTES);
      channel.flush();
      bytes += channel.staging().get(ValueLayout.JAVA_LONG, 0);
    }
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 10, 1_000, 3_000})
  void shouldGiveToOthersAllThatIsFree(int steps) {
    comeAndGo(steps, steps);
    adopt(staying, left());
    assertEquals(PoolAddress.NULL, left());
    long taken = bump() - (long) fabric.nodeCount() * SuperblockLayout.LENGTH;
    long inUse = live.values().stream().mapToLong(sizeClass -> SizeClass.bytes(sizeClass)).sum();
    PoolUsage usage = usage(staying);
    assertTrue(usage.isBalanced(), usage::toString);
    assertEquals(taken - inUse, usage.freeBytes() + usage.spareBytes());
    work(staying, new Random(1), 10_000);
  }

  @Test
  void shouldUseNothingThatSomebodyMayRead() {
    comeAndGo(1, 1_000);
    horizon = LEFT_AT;
    adopt(staying, left());
    assertEquals(0, usage(staying).freeBytes() + usage(staying).spareBytes());
    assertNotEquals(0, usage(staying).retiredBytes());
    assertTrue(staying.takeWanted(), "to be looked at again");
    horizon++;
    staying.giveAdopted();
    assertEquals(0, usage(staying).retiredBytes());
    assertNotEquals(0, usage(staying).freeBytes() + usage(staying).spareBytes());
  }

  @Test
  void shouldKeepWhatSeveralHaveLeftInAnEntry() {
    comeAndGo(1, 300);
    comeAndGo(2, 300);
    comeAndGo(3, 300);
    adopt(staying, left());
    assertEquals(PoolAddress.NULL, left());
    long free = bump() - (long) fabric.nodeCount() * SuperblockLayout.LENGTH;
    free -= live.values().stream().mapToLong(sizeClass -> SizeClass.bytes(sizeClass)).sum();
    assertEquals(free, usage(staying).freeBytes() + usage(staying).spareBytes());
  }

  @Test
  void shouldGiveItToOneOnly() {
    comeAndGo(1, 300);
    long first = left();
    adopt(staying, first);
    ChunkPool late = new ChunkPool(fabric, () -> horizon);
    adopt(late, first);
    assertEquals(0, usage(late).freeBytes() + usage(late).spareBytes());
    assertFalse(late.isMemoryLeft());
  }

  /** Who comes and goes takes the same memory each time. */
  @Test
  void shouldNotTakeMoreEachTime() {
    comeAndGo(0, 0);
    long taken = bump();
    for (int i = 0; i < 10; i++) {
      ChunkPool chunks = new ChunkPool(fabric, () -> horizon);
      assertTrue(chunks.takeWanted(), "who comes looks first");
      adopt(chunks, left());
      LeftMemory.leave(fabric, chunks, LEAVING, _ -> LEFT_AT);
    }
    assertEquals(taken, bump());
  }

  /** Who takes a pool over finds all that is free itself. */
  @Test
  void shouldIgnoreWhatWasLeftBeforeThePoolWasTakenOver() {
    comeAndGo(1, 300);
    PoolOwner.take(fabric, "me", 1);
    adopt(staying, left());
    assertEquals(0, usage(staying).freeBytes() + usage(staying).spareBytes());
    assertEquals(PoolAddress.NULL, left());
  }

  @Test
  void shouldIgnoreWhatIsDamaged() {
    comeAndGo(1, 300);
    long first = left();
    channel.read(first + 64, 0, Long.BYTES);
    channel.flush();
    long word = channel.staging().get(ValueLayout.JAVA_LONG, 0);
    channel.writeLong(first + 64, word ^ 1L << 30);
    channel.flush();
    adopt(staying, first);
    assertEquals(0, usage(staying).freeBytes() + usage(staying).spareBytes());
  }
}
