package org.nelumbo.dm.fabric.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class HugePagesTest {
  private static final String MAPPINGS =
      """
      7f0000000000-7f0000400000 rw-p 00000000 00:00 0
      Size:               4096 kB
      AnonHugePages:      2048 kB
      ShmemPmdMapped:        0 kB
      VmFlags: rd wr mr mw me ac sd hg
      7f0000400000-7f0000600000 rw-s 00000000 00:19 5    /dev/shm/pool (deleted)
      AnonHugePages:         0 kB
      ShmemPmdMapped:     2048 kB
      ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0    [vsyscall]
      AnonHugePages:         0 kB
      """;

  private static long bytes(long address, long bytes) {
    return HugePages.bytes(MAPPINGS.lines(), address, bytes);
  }

  @Test
  void shouldCountMappingsInARange() {
    assertEquals(4L << 20, bytes(0x7f00_0000_0000L, 6L << 20));
    assertEquals(2L << 20, bytes(0x7f00_0040_0000L, 2L << 20));
    assertEquals(0, bytes(0x7f00_0060_0000L, 1L << 20));
  }

  @Test
  void shouldCountNoMoreThanIsInTheRange() {
    assertEquals(1L << 20, bytes(0x7f00_0050_0000L, 1L << 20));
  }

  @Test
  void shouldCountHugePagesOfThisProcessUnlessUnknown() {
    NodeMemory memory = LocalMemory.reserve(4L << 20);
    try {
      long there = HugePages.bytes(memory.address(), memory.bytes());
      if (Files.isReadable(Path.of("/proc/self/smaps"))) {
        assertTrue(there >= 0 && there <= memory.bytes(), "bytes=" + there);
      } else {
        assertEquals(HugePages.UNKNOWN, there);
      }
    } finally {
      memory.release();
    }
  }
}
