package org.nelumbo.dm.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.superblock.PoolFormat;
import org.nelumbo.dm.superblock.PoolName;

/** Writes and reads back each field of each layout, and checks that it overlaps no other field. */
class LayoutTest {
  private static final int AT = 64;
  private final MemorySegment segment = dirty();

  private static MemorySegment dirty() {
    MemorySegment segment = Arena.ofAuto().allocate(8192, 64);
    segment.fill((byte) 0xa5);
    return segment;
  }

  private long word(long offset) {
    return segment.get(ValueLayout.JAVA_LONG, offset);
  }

  private void assertUntouchedAround(long from, long to) {
    for (long i = 0; i < segment.byteSize(); i++) {
      if (i < from || i >= to) {
        assertEquals((byte) 0xa5, segment.get(ValueLayout.JAVA_BYTE, i), "offset=" + i);
      }
    }
  }

  @Test
  void shouldWriteAndReadAnEmptyCvt() {
    for (int cells = 1; cells <= CvtLayout.MAX_CELLS; cells++) {
      segment.fill((byte) 0xa5);
      CvtLayout.writeEmpty(segment, AT, 0x8123_4567_89ab_cdefL, 0xfedc_ba98, cells, 59);
      assertEquals(0x8123_4567_89ab_cdefL, CvtLayout.lotusKey(segment, AT));
      assertEquals(0xfedc_ba98, CvtLayout.storeId(segment, AT));
      assertEquals(cells, CvtLayout.cells(segment, AT));
      assertEquals(59, CvtLayout.blockClass(segment, AT));
      assertEquals(PoolAddress.NULL, CvtLayout.overflow(segment, AT));
      for (int i = 0; i < cells; i++) {
        assertFalse(CellLayout.isValid(CvtLayout.word0(segment, AT, i)));
        assertEquals(0, CvtLayout.word1(segment, AT, i));
      }
      assertUntouchedAround(AT, AT + CvtLayout.bytes(cells));
    }
  }

  @Test
  void shouldKeepCvtFieldsSeparate() {
    CvtLayout.writeEmpty(segment, AT, 1, 2, 3, 4);
    segment.set(ValueLayout.JAVA_LONG, AT + CvtLayout.OVERFLOW_OFFSET, PoolAddress.of(255, 64));
    for (int i = 0; i < 3; i++) {
      segment.set(ValueLayout.JAVA_LONG, AT + CvtLayout.cellOffset(i), 100 + i);
      segment.set(ValueLayout.JAVA_LONG, AT + CvtLayout.cellOffset(i) + 8, 200 + i);
    }
    assertEquals(1, CvtLayout.lotusKey(segment, AT));
    assertEquals(2, CvtLayout.storeId(segment, AT));
    assertEquals(3, CvtLayout.cells(segment, AT));
    assertEquals(4, CvtLayout.blockClass(segment, AT));
    assertEquals(PoolAddress.of(255, 64), CvtLayout.overflow(segment, AT));
    for (int i = 0; i < 3; i++) {
      assertEquals(100 + i, CvtLayout.word0(segment, AT, i));
      assertEquals(200 + i, CvtLayout.word1(segment, AT, i));
    }
  }

  @Test
  void shouldFitACvtOfTwoCellsInOneCacheLine() {
    assertEquals(56, CvtLayout.bytes(2));
    int bytes = SizeClass.bytes(SizeClass.of(CvtLayout.bytes(2)));
    assertEquals(64, bytes);
    for (int cells = 1; cells <= CvtLayout.MAX_CELLS; cells++) {
      assertEquals(0, CvtLayout.cellOffset(cells - 1) % 8);
      assertEquals(CvtLayout.bytes(cells), CvtLayout.cellOffset(cells));
    }
  }

  @Test
  void shouldPackAndUnpackEveryFieldOfACell() {
    long[] addresses = {PoolAddress.of(0, 16), PoolAddress.of(255, (1L << 40) - 16)};
    for (int cv : new int[] {0, 1, 127, 128, 255}) {
      for (int sizeClass : new int[] {0, 1, 31, 32, 63}) {
        for (boolean deleted : new boolean[] {false, true}) {
          for (long address : addresses) {
            long word = CellLayout.word0(cv, sizeClass, deleted, address);
            assertEquals(cv, CellLayout.headCv(word));
            assertEquals(sizeClass, CellLayout.sizeClass(word));
            assertEquals(deleted, CellLayout.isDeleted(word));
            assertEquals(address, CellLayout.address(word));
            assertTrue(CellLayout.isValid(word));
          }
        }
      }
      for (long version : new long[] {0, 1, CellLayout.invisible(77), CellLayout.INVISIBLE}) {
        long word = CellLayout.word1(version, cv);
        assertEquals(version, CellLayout.version(word));
        assertEquals(cv, CellLayout.tailCv(word));
      }
    }
  }

  @Test
  void shouldDetectTornCells() {
    for (int cv = 0; cv < 256; cv++) {
      int next = CellLayout.nextCv(cv);
      assertNotEquals(cv, next);
      long word0 = CellLayout.word0(cv, 5, false, 4096);
      assertFalse(CellLayout.isTorn(word0, CellLayout.word1(99, cv)));
      assertTrue(CellLayout.isTorn(word0, CellLayout.word1(99, next)));
      assertTrue(CellLayout.isTorn(word0, CellLayout.word1(CellLayout.INVISIBLE, next)));
    }
    assertEquals(0, CellLayout.nextCv(255));
    assertFalse(CellLayout.isTorn(0, 0), "a cell of zeroed memory is whole and free");
  }

  @Test
  void shouldOrderInvisibleVersionAboveAllOthers() {
    long unsigned = CellLayout.version(CellLayout.word1(CellLayout.INVISIBLE, 3));
    assertEquals((1L << 56) - 1, unsigned);
    assertTrue(unsigned > CellLayout.version(CellLayout.word1(CellLayout.INVISIBLE - 1, 3)));
  }

  @Test
  void shouldWriteAndReadARecordHeader() {
    for (int keyLength : new int[] {0, 1, 255, 256, 65535}) {
      segment.fill((byte) 0xa5);
      RecordLayout.writeHeader(segment, AT, 0x7fff_fff0, keyLength, CellLayout.INVISIBLE - 1);
      assertEquals(0x7fff_fff0, RecordLayout.length(segment, AT));
      assertEquals(keyLength, RecordLayout.keyLength(segment, AT));
      assertEquals(CellLayout.INVISIBLE - 1, RecordLayout.predecessor(segment, AT));
      assertEquals(0, word(AT) >>> 48, "the spare bytes are 0");
      assertUntouchedAround(AT, AT + RecordLayout.KEY_OFFSET);
    }
  }

  @Test
  void shouldWriteAndReadAnOverflowBlock() {
    OverflowLayout.write(segment, AT, PoolAddress.of(3, 64), -2, 0x7766_5544_3322_1100L);
    assertEquals(PoolAddress.of(3, 64), OverflowLayout.next(segment, AT));
    assertEquals(-2, OverflowLayout.word0(segment, AT));
    assertEquals(0x7766_5544_3322_1100L, OverflowLayout.word1(segment, AT));
    assertUntouchedAround(AT, AT + OverflowLayout.LENGTH);
    assertEquals(OverflowLayout.LENGTH, SizeClass.bytes(OverflowLayout.SIZE_CLASS));
  }

  @Test
  void shouldPackLogEntriesAndFitPiecesIntoBlocks() {
    for (int cell : new int[] {0, 1, 31, 255}) {
      long cvt = PoolAddress.of(255, (1L << 40) - 64);
      long word = LogLayout.entryWord0(cvt, cell);
      assertEquals(cvt, LogLayout.cvt(word));
      assertEquals(cell, LogLayout.cell(word));
    }
    assertEquals(0, LogLayout.ENTRIES_PER_BLOCK % LogLayout.PIECE_ENTRIES);
    assertEquals(
        LogLayout.HEADER_LENGTH + LogLayout.ENTRIES_PER_BLOCK * LogLayout.ENTRY_LENGTH,
        LogLayout.BLOCK_LENGTH);
    assertTrue(SizeClass.bytes(LogLayout.BLOCK_CLASS) >= LogLayout.BLOCK_LENGTH);
    segment.set(ValueLayout.JAVA_LONG, AT + LogLayout.NEXT_OFFSET, 11);
    segment.set(ValueLayout.JAVA_LONG, AT + LogLayout.TRANSACTION_OFFSET, 12);
    segment.set(ValueLayout.JAVA_LONG, AT + LogLayout.COUNT_OFFSET, 13);
    assertEquals(11, LogLayout.next(segment, AT));
    assertEquals(12, LogLayout.transaction(segment, AT));
    segment.set(ValueLayout.JAVA_LONG, AT + LogLayout.CHECKSUM_OFFSET, 14);
    assertEquals(13, LogLayout.count(segment, AT));
    assertEquals(14, LogLayout.checksum(segment, AT));
  }

  @Test
  void shouldSeparateSuperblockFieldsAndAlignHotWords() {
    int text = Long.BYTES;
    int[][] fields = {
      {SuperblockLayout.MAGIC_OFFSET, Long.BYTES},
      {SuperblockLayout.FORMAT_OFFSET, Long.BYTES},
      {SuperblockLayout.POOL_ID_OFFSET, Long.BYTES},
      {SuperblockLayout.NODE_BYTES_OFFSET, Long.BYTES},
      {SuperblockLayout.CATALOGUE_ROOT_OFFSET, Long.BYTES},
      {SuperblockLayout.CATALOGUE_ORDERED_OFFSET, Long.BYTES},
      {SuperblockLayout.PARAMETERS_OFFSET, Long.BYTES},
      {SuperblockLayout.JOINS_OFFSET, Long.BYTES},
      {SuperblockLayout.BUMP_OFFSET, Long.BYTES},
      {SuperblockLayout.CLOCK_OFFSET, Long.BYTES},
      {SuperblockLayout.FREE_SPACE_MAP_OFFSET, Long.BYTES},
      {SuperblockLayout.CONFIGURATION_OFFSET, Long.BYTES},
      {SuperblockLayout.CONFIGURATION_LATCH_OFFSET, Long.BYTES},
      {SuperblockLayout.CONFIGURATION_VERSION_OFFSET, Long.BYTES},
      {SuperblockLayout.DAMAGED_OFFSET, Long.BYTES},
      {SuperblockLayout.INCARNATION_OFFSET, Long.BYTES},
      {SuperblockLayout.EPOCH_OFFSET, Long.BYTES},
      {SuperblockLayout.ATTACHED_OFFSET, Long.BYTES},
      {SuperblockLayout.OWNER_OFFSET, text + SuperblockLayout.OWNER_BYTES_MAX},
      {SuperblockLayout.NAME_OFFSET, text + SuperblockLayout.NAME_BYTES_MAX},
      {
        SuperblockLayout.COMPUTE_NODES_OFFSET,
        SuperblockLayout.COMPUTE_NODES * SuperblockLayout.COMPUTE_NODE_LENGTH
      }
    };
    BitSet used = new BitSet();
    for (int[] field : fields) {
      int end = field[0] + field[1];
      assertEquals(0, field[0] % 8, "offset=" + field[0]);
      assertTrue(end <= SuperblockLayout.LENGTH, "offset=" + field[0]);
      int overlap = used.nextSetBit(field[0]);
      assertTrue(overlap < 0 || overlap >= end, "offset=" + field[0] + " overlap=" + overlap);
      used.set(field[0], end);
    }
    assertEquals(0, SuperblockLayout.BUMP_OFFSET % 64);
    assertEquals(0, SuperblockLayout.CLOCK_OFFSET % 64);
    for (int[] field : fields) {
      boolean isBump = field[0] == SuperblockLayout.BUMP_OFFSET;
      assertEquals(isBump, field[0] / 64 == SuperblockLayout.BUMP_OFFSET / 64);
    }
  }

  @Test
  void shouldFormatSuperblocksThatNameThemselves() {
    try (LocalFabric fabric = new LocalFabric(2, 1 << 20);
        Channel channel = fabric.openChannel(4096)) {
      assertFalse(PoolFormat.isFormatted(fabric));
      PoolFormat.format(fabric, 0x1234);
      assertTrue(PoolFormat.isFormatted(fabric));
      PoolFormat.verify(fabric);
      channel.read(PoolAddress.of(1, 0), 0, 256);
      channel.flush();
      byte[] magic = new byte[8];
      MemorySegment.copy(channel.staging(), ValueLayout.JAVA_BYTE, 0, magic, 0, 8);
      assertEquals("NELUMBO1", new String(magic, StandardCharsets.US_ASCII));
      channel.writeLong(PoolAddress.of(1, SuperblockLayout.POOL_ID_OFFSET), 0x1235);
      channel.flush();
      assertFailsNaming(fabric, "field=poolId");
    }
  }

  @Test
  void shouldStoreAndCheckPoolName() {
    try (LocalFabric fabric = new LocalFabric(2, 1 << 20)) {
      PoolFormat.format(fabric, 1);
      assertEquals("", PoolName.read(fabric));
      PoolName.check(fabric, "anything");
      String longest = "é".repeat(SuperblockLayout.NAME_BYTES_MAX / 2);
      PoolName.write(fabric, longest);
      assertEquals(longest, PoolName.read(fabric));
      PoolName.check(fabric, longest);
      assertThrows(PoolOpenException.class, () -> PoolName.check(fabric, "anything"));
      assertThrows(PoolOpenException.class, () -> PoolName.write(fabric, longest + "x"));
      PoolFormat.format(fabric, 2);
      assertEquals("", PoolName.read(fabric));
    }
  }

  private static void assertFailsNaming(LocalFabric fabric, String what) {
    try {
      PoolFormat.verify(fabric);
    } catch (PoolOpenException e) {
      assertTrue(e.getMessage().contains(what), e.getMessage());
      return;
    }
    throw new AssertionError("a foreign node was accepted");
  }
}
