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
import org.nelumbo.dm.env.SystemEnvironment;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.layout.FreeSpaceMapLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.layout.SuperblockLayout;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.superblock.ComputeNodeEntry;
import org.nelumbo.dm.superblock.ComputeNodeTable;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.dm.superblock.PoolOwner;

/**
 * Tests that compute nodes that leave a shared pool donate their free memory, and that the
 * remaining compute nodes use it.
 */
class DonatedMemoryTest {
  private static final ComputeNodeEntry LEAVING = new ComputeNodeEntry(2, 1);
  private static final long LEFT_AT = 20;

  private final SystemEnvironment environment = new SystemEnvironment();
  private final LocalFabric fabric = new LocalFabric(2, 8 << 20);
  private final Channel channel = fabric.openChannel(16 << 10);

  /** Greater than the donation timestamp, so that no older snapshot exists. */
  private long horizon = LEFT_AT + 1;

  private final ChunkPool staying = new ChunkPool(fabric, () -> horizon);

  /** Blocks in use, with their size classes. */
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

  /** Allocates, frees and retires at random; some blocks stay allocated. */
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

  /** Runs a compute node that enters, works and leaves. */
  private void comeAndGo(int seed, int steps) {
    ChunkPool chunks = new ChunkPool(fabric, () -> 0);
    work(chunks, new Random(seed), steps);
    DonatedMemory.donateAll(environment, fabric, chunks, LEAVING, _ -> LEFT_AT);
    PoolUsage usage = usage(chunks);
    assertTrue(usage.isBalanced(), usage::toString);
  }

  /** Returns the donated memory that the entry of the leaving compute node refers to. */
  private long left() {
    int mark = channel.mark();
    int table = ComputeNodeTable.postRead(channel);
    channel.flush();
    long named = ComputeNodeTable.memoryLeft(channel.staging(), table, LEAVING.entry());
    int entry = ComputeNodeTable.entryWithMemory(channel.staging(), table, 7);
    boolean isNothing = DonatedMemory.firstPiece(named) == PoolAddress.NULL;
    assertEquals(isNothing ? -1 : LEAVING.entry(), entry);
    channel.release(mark);
    return named;
  }

  private void assertNothingLeft() {
    assertEquals(PoolAddress.NULL, DonatedMemory.firstPiece(left()));
  }

  private long take(ChunkPool chunks, long named) {
    return DonatedMemory.take(fabric, chunks, channel, LEAVING.entry(), named);
  }

  /** Takes all donated pieces and makes them available for allocation. */
  private void adopt(ChunkPool chunks, long named) {
    long left = named;
    while (left != DonatedMemory.TAKEN_BY_ANOTHER
        && DonatedMemory.firstPiece(left) != PoolAddress.NULL) {
      left = take(chunks, left);
    }
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
  void shouldDonateAllFreeMemory(int steps) {
    comeAndGo(steps, steps);
    adopt(staying, left());
    assertNothingLeft();
    long taken = bump() - (long) fabric.nodeCount() * SuperblockLayout.LENGTH;
    long inUse = live.values().stream().mapToLong(sizeClass -> SizeClass.bytes(sizeClass)).sum();
    PoolUsage usage = usage(staying);
    assertTrue(usage.isBalanced(), usage::toString);
    assertEquals(taken - inUse, usage.freeBytes() + usage.spareBytes());
    work(staying, new Random(1), 10_000);
  }

  @Test
  void shouldNotReuseDonatedMemoryBeforeHorizon() {
    comeAndGo(1, 1_000);
    horizon = LEFT_AT;
    adopt(staying, left());
    assertEquals(0, usage(staying).freeBytes() + usage(staying).spareBytes());
    assertNotEquals(0, usage(staying).retiredBytes());
    assertNotEquals(0, staying.adoptedBytes());
    horizon++;
    staying.giveAdopted();
    assertEquals(0, usage(staying).retiredBytes());
    assertNotEquals(0, usage(staying).freeBytes() + usage(staying).spareBytes());
  }

  @Test
  void shouldKeepSeveralDonationsInOneEntry() {
    comeAndGo(1, 300);
    comeAndGo(2, 300);
    comeAndGo(3, 300);
    adopt(staying, left());
    assertNothingLeft();
    long free = bump() - (long) fabric.nodeCount() * SuperblockLayout.LENGTH;
    free -= live.values().stream().mapToLong(sizeClass -> SizeClass.bytes(sizeClass)).sum();
    assertEquals(free, usage(staying).freeBytes() + usage(staying).spareBytes());
  }

  @Test
  void shouldLetOnlyOneNodeAdoptDonation() {
    comeAndGo(1, 300);
    long first = left();
    adopt(staying, first);
    ChunkPool late = new ChunkPool(fabric, () -> horizon);
    assertEquals(DonatedMemory.TAKEN_BY_ANOTHER, take(late, first));
    assertEquals(0, late.adoptedBytes());
    assertFalse(late.isMemoryLeft());
  }

  /**
   * The ABA case: the first piece is the same again, but another piece follows it. A compute node
   * that read the list before must not put back a piece that was taken in between.
   */
  @Test
  void shouldNotAdoptPieceDonatedAgainMeanwhile() {
    comeAndGo(1, 0);
    comeAndGo(2, 0);
    long before = left();
    adopt(staying, before);
    ChunkPool late = new ChunkPool(fabric, () -> horizon);
    long[] same = {DonatedMemory.firstPiece(before)};
    DonatedMemory.donateBlocks(
        environment, channel, LEAVING, same, SizeClass.of(FreeSpaceMapLayout.PIECE_BYTES));
    assertEquals(same[0], DonatedMemory.firstPiece(left()));
    assertEquals(DonatedMemory.TAKEN_BY_ANOTHER, take(late, before));
    assertEquals(0, late.adoptedBytes());
  }

  /**
   * Free memory beyond a limit is donated to all, so that a failed compute node loses no more than
   * that limit.
   */
  @Test
  void shouldDonateFreeMemoryBeyondLimit() {
    ChunkPool rich = new ChunkPool(fabric, () -> horizon);
    rich.setShared(true);
    try (PoolAllocator open = rich.newAllocator(channel)) {
      work(rich, new Random(5), 4_000);
      live.forEach((block, sizeClass) -> open.free(block, sizeClass));
      live.clear();
      open.releaseFree();
      int pieces = 0;
      for (int node = rich.nodeWithSurplus(); node >= 0; node = rich.nodeWithSurplus()) {
        assertTrue(DonatedMemory.donateSome(environment, rich, LEAVING, channel, open, node));
        pieces++;
      }
      assertTrue(pieces > 2, "pieces=" + pieces);
      PoolUsage kept = usage(rich);
      open.addTo(kept);
      assertTrue(kept.isBalanced(), kept::toString);
      assertEquals(0, kept.liveBytes());
      assertTrue(kept.takenBytes() < fabric.nodeCount() * (320L << 10), kept::toString);
      adopt(staying, left());
      long taken = bump() - (long) fabric.nodeCount() * SuperblockLayout.LENGTH;
      assertEquals(taken, kept.takenBytes() + usage(staying).takenBytes());
    }
    work(staying, new Random(6), 3_000);
  }

  /** New sessions hold little free memory, and busy ones not much more. */
  @ParameterizedTest
  @ValueSource(ints = {1, 100, 10_000})
  void shouldHoldLittleInASharedPool(int blocks) {
    ChunkPool chunks = new ChunkPool(fabric, () -> horizon);
    chunks.setShared(true);
    try (PoolAllocator open = chunks.newAllocator(channel)) {
      for (int i = 0; i < blocks; i++) {
        open.allocate(i % 3, i % 2);
      }
      PoolUsage usage = usage(chunks);
      open.addTo(usage);
      long unused = usage.takenBytes() - usage.liveBytes();
      assertTrue(unused <= fabric.nodeCount() * (blocks < 100 ? 4L << 10 : 28L << 10), "" + unused);
    }
  }

  /** The chunk of the former exclusive owner is donated to all compute nodes except for a part. */
  @Test
  void shouldReleaseChunkHeldBeforeSharing() {
    ChunkPool chunks = new ChunkPool(fabric, () -> horizon);
    int node = SizeClass.of(1 << 10);
    try (PoolAllocator open = chunks.newAllocator(channel)) {
      open.allocate(node, 0);
      chunks.setShared(true);
      for (int i = 0; i < 5; i++) {
        open.allocate(node, 0); // until the slab is used up
      }
      PoolUsage own = new PoolUsage();
      open.addTo(own);
      assertTrue(own.spareBytes() <= 24 << 10, own::toString);
      PoolUsage all = usage(chunks);
      open.addTo(all);
      assertTrue(all.isBalanced(), all::toString);
    }
  }

  /** Repeated entering and leaving does not extend the pool. */
  @Test
  void shouldNotExtendPoolOnRepeatedJoins() {
    comeAndGo(0, 0);
    long taken = bump();
    for (int i = 0; i < 10; i++) {
      ChunkPool chunks = new ChunkPool(fabric, () -> horizon);
      assertEquals(1, chunks.takeWants(), "who comes looks first");
      adopt(chunks, left());
      DonatedMemory.donateAll(environment, fabric, chunks, LEAVING, _ -> LEFT_AT);
    }
    assertEquals(taken, bump());
  }

  /**
   * A compute node that takes over the pool finds all free memory itself, so earlier donations are
   * void.
   */
  @Test
  void shouldIgnoreDonationsBeforeTakeover() {
    comeAndGo(1, 300);
    PoolOwner.take(fabric, "me", 1);
    adopt(staying, left());
    assertEquals(0, usage(staying).freeBytes() + usage(staying).spareBytes());
    assertNothingLeft();
  }

  @Test
  void shouldIgnoreDamagedDonation() {
    comeAndGo(1, 300);
    long named = left();
    long first = DonatedMemory.firstPiece(named);
    channel.read(first + 64, 0, Long.BYTES);
    channel.flush();
    long word = channel.staging().get(ValueLayout.JAVA_LONG, 0);
    channel.writeLong(first + 64, word ^ 1L << 30);
    channel.flush();
    adopt(staying, named);
    assertNothingLeft();
    assertEquals(0, usage(staying).freeBytes() + usage(staying).spareBytes());
  }
}
