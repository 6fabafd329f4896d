package org.nelumbo.executor.op.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.nelumbo.dm.litmus.SteppingEnvironment;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.expr.FrameLayout;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.types.ColumnType;
import org.nelumbo.types.Kind;

/** Tests that rows in one chunk and in many chunks are read back unchanged. */
class MaterializedRowsTest {
  private static final int ROWS = 400;

  private final FrameLayout layout = new FrameLayout();
  private final int first = layout.addRow();
  private final int second = layout.addRow();
  private final int slot = layout.addSlot(ColumnType.of(Kind.BIGINT).orNull());
  private final Frame frame = new Frame(layout, new SteppingEnvironment(0, Thread::yield));
  private final FrameFields fields =
      FrameFields.ofRow(first)
          .union(FrameFields.ofRow(second))
          .union(FrameFields.ofSlots(new int[] {slot}));

  /**
   * Returns row {@code i}: some rows are missing, most are short, and some are as long as possible.
   */
  private static byte[] image(int i, int salt) {
    Random random = new Random(31L * i + salt);
    if (random.nextInt(7) == 0) {
      return null;
    }
    byte[] bytes = new byte[random.nextInt(random.nextInt(9) == 0 ? 200_000 : 300)];
    random.nextBytes(bytes);
    return bytes;
  }

  private void show(int i) {
    show(first, image(i, 1));
    show(second, image(i, 2));
    if (i % 5 == 0) {
      frame.setSlotNull(slot);
    } else {
      frame.setSlotLong(slot, i);
    }
  }

  private void show(int row, byte[] bytes) {
    if (bytes == null) {
      frame.clearRow(row);
    } else {
      frame.row(row).wrap(bytes, 0, bytes.length);
    }
  }

  private void assertShows(int i) {
    assertShows(first, image(i, 1));
    assertShows(second, image(i, 2));
    assertEquals(i % 5 == 0, frame.isSlotNull(slot));
    if (i % 5 != 0) {
      assertEquals(i, frame.slotLong(slot));
    }
  }

  private void assertShows(int row, byte[] expected) {
    RowBuffer shown = frame.row(row);
    if (expected == null) {
      assertNull(shown.bytes);
    } else {
      assertArrayEquals(
          expected, Arrays.copyOfRange(shown.bytes, shown.offset, shown.offset + shown.length));
    }
  }

  private void fill(MaterializedRows rows, int count) {
    for (int i = 0; i < count; i++) {
      show(i);
      assertEquals(i, rows.add(frame));
    }
  }

  private void assertHas(MaterializedRows rows, int count) {
    for (int i = count - 1; i >= 0; i--) {
      rows.restore(i, frame);
      assertShows(i);
    }
  }

  @Test
  void shouldRestoreRowsOfManyChunks() {
    MaterializedRows rows = new MaterializedRows(fields, frame, "a test");
    fill(rows, ROWS);
    assertTrue(rows.heapBytes() > 5 << 20, () -> "" + rows.heapBytes());
    assertHas(rows, ROWS);
  }

  @Test
  void shouldBeUsedAgain() {
    MaterializedRows rows = new MaterializedRows(fields, frame, "a test");
    fill(rows, ROWS);
    long most = rows.heapBytes();
    rows.clear();
    assertEquals(0, rows.size());
    fill(rows, ROWS);
    assertEquals(most, rows.heapBytes(), "chunks are kept");
    assertHas(rows, ROWS);
    rows.release();
    fill(rows, 3);
    assertTrue(rows.heapBytes() < 1 << 20, () -> "" + rows.heapBytes());
    assertHas(rows, 3);
  }

  @Test
  void shouldCopyRowsOfAnother() {
    MaterializedRows rows = new MaterializedRows(fields, frame, "a test");
    fill(rows, ROWS);
    MaterializedRows copy = new MaterializedRows(fields, frame, "a test");
    for (int i = 0; i < ROWS; i++) {
      assertTrue(copy.tryAddFrom(rows, i));
    }
    rows.clear();
    fill(rows, 10);
    assertHas(copy, ROWS);
  }
}
