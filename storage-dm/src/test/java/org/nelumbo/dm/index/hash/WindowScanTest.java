package org.nelumbo.dm.index.hash;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.nelumbo.dm.layout.HashSegmentLayout;
import org.nelumbo.dm.layout.HashSlotLayout;

/** Compares the scan of a window with a plain loop over its words. */
class WindowScanTest {
  private static final int OFFSET = 24;

  private final MemorySegment staging = Arena.ofAuto().allocate(256, 8);

  /**
   * Fills the window with few, close fingerprints, so that matches and near misses are frequent.
   */
  private long[] fill(SplittableRandom random, int depth, int fingerprints) {
    long[] words = new long[HashSegmentLayout.WINDOW_WORDS];
    for (int i = 0; i < words.length; i++) {
      int fingerprint = HashSlotLayout.FIRST_FINGERPRINT + random.nextInt(fingerprints);
      words[i] =
          random.nextInt(4) == 0
              ? HashSlotLayout.free(depth)
              : HashSlotLayout.pattern(depth, fingerprint) | random.nextLong(1L << 48);
      staging.set(JAVA_LONG, OFFSET + 8L * i, words[i]);
    }
    return words;
  }

  @Property(seed = "1", tries = 2000)
  void shouldFindExactlyTheMatches(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = HashSegmentLayout.MAX_DEPTH) int depth,
      @ForAll @IntRange(min = 1, max = 8) int fingerprints) {
    SplittableRandom random = new SplittableRandom(seed);
    long[] words = fill(random, depth, fingerprints);
    int fingerprint = HashSlotLayout.FIRST_FINGERPRINT + random.nextInt(fingerprints);
    long pattern = HashSlotLayout.pattern(depth, fingerprint);
    Set<Long> expected = new TreeSet<>();
    for (long word : words) {
      if (HashSlotLayout.fingerprint(word) == fingerprint) {
        expected.add(HashSlotLayout.address(word));
      }
    }
    long[] out = new long[20];
    int count = WindowScan.candidates(staging, OFFSET, pattern, out, 2);
    Set<Long> found = new TreeSet<>();
    Arrays.stream(out, 2, count).forEach(found::add);
    assertEquals(expected, found);
    assertEquals(expected.size(), count - 2);
    assertEquals(count, WindowScan.candidates(staging, OFFSET, pattern, new long[3], 2));
  }

  @Property(seed = "1", tries = 500)
  void shouldSeeASingleWordOfAnotherDepth(
      @ForAll long seed,
      @ForAll @IntRange(min = 0, max = HashSegmentLayout.MAX_DEPTH) int depth,
      @ForAll @IntRange(min = 0, max = 15) int torn,
      @ForAll @IntRange(min = 1, max = 15) int deeper) {
    long[] words = fill(new SplittableRandom(seed), depth, 4);
    long pattern = HashSlotLayout.pattern(depth, HashSlotLayout.FIRST_FINGERPRINT);
    staging.set(JAVA_LONG, OFFSET + 8L * torn, HashSlotLayout.retag(words[torn], depth + deeper));
    assertEquals(WindowScan.TORN, WindowScan.candidates(staging, OFFSET, pattern, new long[16], 0));
    assertEquals(false, WindowScan.isWhole(staging, OFFSET, depth));
    staging.set(JAVA_LONG, OFFSET + 8L * torn, words[torn]);
    assertEquals(true, WindowScan.isWhole(staging, OFFSET, depth));
  }
}
