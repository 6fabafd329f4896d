package org.nelumbo.dm.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.nelumbo.dm.fabric.local.LocalFabric;
import org.nelumbo.dm.litmus.Litmus;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * Tests which states of a commit a lock-free reader can observe: the writer publishes record and
 * cell first, and the timestamp later.
 */
@Timeout(120)
class CellPublicationLitmusTest {
  private static final long CVTS = 4096;
  private static final long RECORDS = 1 << 20;
  private static final int BATCHES = 400;

  private final LocalFabric fabric = new LocalFabric(1, 2 << 20);
  private final Channel reset = fabric.openChannel(4096);
  private final Channel writer = fabric.openChannel(4096);
  private final Channel reader = fabric.openChannel(4096);
  private final String[] seen = new String[Litmus.CELLS];

  @BeforeEach
  void prepare() {
    RecordLayout.writeHeader(writer.staging(), 256, 64, 0, 0);
  }

  @AfterEach
  void close() {
    reset.close();
    writer.close();
    reader.close();
    fabric.close();
  }

  private static long cvt(int cell) {
    return PoolAddress.of(0, CVTS + 64L * cell);
  }

  private static long record(int cell) {
    return PoolAddress.of(0, RECORDS + 64L * cell);
  }

  private void resetAll() {
    for (int cell = 0; cell < Litmus.CELLS; cell++) {
      CvtLayout.writeEmpty(reset.staging(), 0, cell, 1, 2, 3);
      reset.write(cvt(cell), 0, CvtLayout.bytes(2));
      reset.writeLong(record(cell), 0);
      reset.flush();
    }
  }

  /** Commits version 7 of row {@code cell}, in the order of section 4 of the internals. */
  private void commit(int cell) {
    MemorySegment staging = writer.staging();
    long word0 = CellLayout.word0(1, 3, false, record(cell));
    staging.set(ValueLayout.JAVA_LONG, 0, word0);
    staging.set(ValueLayout.JAVA_LONG, 8, CellLayout.word1(CellLayout.INVISIBLE, 1));
    writer.write(record(cell), 256, RecordLayout.KEY_OFFSET);
    writer.write(cvt(cell) + CvtLayout.cellOffset(0), 0, CvtLayout.CELL_LENGTH);
    writer.flush();
    writer.writeLong(cvt(cell) + CvtLayout.cellOffset(0) + 8, CellLayout.word1(7, 1));
    writer.flush();
  }

  private void look(int cell) {
    MemorySegment staging = reader.staging();
    reader.read(cvt(cell), 0, CvtLayout.bytes(2));
    reader.flush();
    long word0 = CvtLayout.word0(staging, 0, 0);
    long word1 = CvtLayout.word1(staging, 0, 0);
    if (CellLayout.isTorn(word0, word1)) {
      seen[cell] = "torn";
    } else if (!CellLayout.isValid(word0)) {
      seen[cell] = "free";
    } else if (CellLayout.version(word1) == CellLayout.INVISIBLE) {
      seen[cell] = "invisible, " + recordOf(word0);
    } else {
      seen[cell] = "version " + CellLayout.version(word1) + ", " + recordOf(word0);
    }
  }

  private String recordOf(long word0) {
    reader.read(CellLayout.address(word0), 128, RecordLayout.KEY_OFFSET);
    reader.flush();
    int length = RecordLayout.length(reader.staging(), 128);
    return length == 64 ? "record whole" : "record missing length=" + length;
  }

  @Test
  void shouldShowTheRecordOfEveryCellThatIsNotTorn() throws Exception {
    Map<String, Integer> outcomes =
        new Litmus(this::resetAll, cell -> seen[cell])
            .actor(this::commit)
            .actor(this::look)
            .run(BATCHES);
    Set<String> unexpected = new TreeSet<>(outcomes.keySet());
    unexpected.removeAll(
        Set.of("free", "torn", "invisible, record whole", "version 7, record whole"));
    assertEquals(Set.of(), unexpected, outcomes::toString);
  }

  /** States of a version only advance: no reader sees it as visible and later as invisible. */
  @Test
  void shouldNeverShowAnOlderStateAfterANewerOne() throws Exception {
    Litmus.Actor twice =
        cell -> {
          look(cell);
          String first = seen[cell];
          look(cell);
          seen[cell] = rank(first) <= rank(seen[cell]) ? "forward" : first + " -> " + seen[cell];
        };
    Map<String, Integer> outcomes =
        new Litmus(this::resetAll, cell -> seen[cell])
            .actor(this::commit)
            .actor(twice)
            .run(BATCHES);
    assertEquals(Set.of("forward"), outcomes.keySet(), outcomes::toString);
    assertTrue(outcomes.get("forward") > 0);
  }

  private static int rank(String state) {
    return state.startsWith("free")
        ? 0
        : state.startsWith("torn") ? 1 : state.startsWith("invisible") ? 2 : 3;
  }
}
