package org.nelumbo.dm.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SizeClassTest {
  @Test
  void shouldHoldEverySizeInTheSmallestClassThatFits() {
    for (int bytes = 1; bytes <= SizeClass.LARGEST; bytes++) {
      int sizeClass = SizeClass.of(bytes);
      assertTrue(SizeClass.bytes(sizeClass) >= bytes, "too small bytes=" + bytes);
      assertTrue(
          sizeClass == 0 || SizeClass.bytes(sizeClass - 1) < bytes, "too large bytes=" + bytes);
    }
    assertEquals(SizeClass.COUNT - 1, SizeClass.of(SizeClass.LARGEST));
  }

  @Test
  void shouldWasteLittle() {
    for (int bytes = 1; bytes <= SizeClass.LARGEST; bytes++) {
      int waste = SizeClass.bytes(SizeClass.of(bytes)) - bytes;
      int bound = bytes <= 256 ? 15 : bytes <= 512 ? bytes / 8 : bytes / 4;
      assertTrue(waste <= bound, "bytes=" + bytes + " waste=" + waste);
    }
  }

  @Test
  void shouldFitTheSixBitsOfACellInMultiplesOfSixteen() {
    assertTrue(SizeClass.COUNT <= 64);
    for (int i = 0; i < SizeClass.COUNT; i++) {
      assertEquals(0, SizeClass.bytes(i) % 16);
      assertTrue(i == 0 || SizeClass.bytes(i) > SizeClass.bytes(i - 1));
    }
  }

  @Test
  void shouldHaveExactClassesForCvtsAndTreeNodes() {
    assertEquals(64, SizeClass.bytes(SizeClass.of(64)));
    assertEquals(1024, SizeClass.bytes(SizeClass.of(1024)));
    assertEquals(4096, SizeClass.bytes(SizeClass.of(4096)));
  }

  @Test
  void shouldFindTheLargestClassWithin() {
    for (int bytes = 16; bytes <= SizeClass.LARGEST + 64; bytes++) {
      int sizeClass = SizeClass.within(bytes);
      assertTrue(SizeClass.bytes(sizeClass) <= bytes);
      assertTrue(sizeClass == SizeClass.COUNT - 1 || SizeClass.bytes(sizeClass + 1) > bytes);
    }
  }

  @Test
  void shouldRefuseSizesOutOfRange() {
    assertThrows(IllegalArgumentException.class, () -> SizeClass.of(0));
    assertThrows(IllegalArgumentException.class, () -> SizeClass.of(SizeClass.LARGEST + 1));
  }
}
