package org.nelumbo.executor.op.core;

import java.util.Arrays;
import org.nelumbo.executor.error.ErrorCode;
import org.nelumbo.executor.error.NelumboException;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.expr.FrameLayout;
import org.nelumbo.executor.row.RowBuffer;

/**
 * Copies of the frame state of an operator's rows: the images as bytes in one arena, slots in
 * arrays. A restored row is a view of the arena, valid until the rows are cleared. Reused; makes no
 * garbage once it has grown.
 */
public final class MaterializedRows {
  private static final int INITIAL_BYTES = 1024;
  private static final int INITIAL_ROWS = 16;
  private static final int ABSENT = -1;

  private final FrameFields set;
  private final boolean[] slotIsLong;
  private byte[] arena = new byte[0];
  private int used;
  private int size;

  /** Of each row: offset and length of each image. */
  private int[] images = new int[0];

  private long[] longs = new long[0];
  private Object[] objects = new Object[0];
  private boolean[] nulls = new boolean[0];

  public MaterializedRows(FrameFields set, FrameLayout shape) {
    this.set = set;
    this.slotIsLong = new boolean[set.slotCount()];
    for (int i = 0; i < slotIsLong.length; i++) {
      slotIsLong[i] = shape.slotType(set.slot(i)).isLong();
    }
  }

  public int size() {
    return size;
  }

  /** Forgets the rows. */
  public void clear() {
    if (objects.length > 0) {
      Arrays.fill(objects, 0, Math.min(objects.length, size * set.slotCount()), null);
    }
    used = 0;
    size = 0;
  }

  /** Saves the row the frame shows; returns its index. */
  public int add(Frame frame) {
    ensureRow();
    for (int i = 0; i < set.rowCount(); i++) {
      addImage(2 * (size * set.rowCount() + i), frame.row(set.row(i)));
    }
    saveSlots(frame, size);
    return size++;
  }

  private void addImage(int at, RowBuffer image) {
    if (image.bytes == null) {
      images[at] = ABSENT;
    } else {
      addImage(at, image.bytes, image.offset, image.length);
    }
  }

  private void addImage(int at, byte[] bytes, int offset, int length) {
    ensureBytes(length);
    System.arraycopy(bytes, offset, arena, used, length);
    images[at] = used;
    images[at + 1] = length;
    used += length;
  }

  /** Saves a copy of another one's saved row, both of the same frame set. */
  public int addFrom(MaterializedRows other, int index) {
    ensureRow();
    for (int i = 0; i < set.rowCount(); i++) {
      int from = 2 * (index * set.rowCount() + i);
      int to = 2 * (size * set.rowCount() + i);
      if (other.images[from] == ABSENT) {
        images[to] = ABSENT;
      } else {
        addImage(to, other.arena, other.images[from], other.images[from + 1]);
      }
    }
    int slots = set.slotCount();
    System.arraycopy(other.nulls, index * slots, nulls, size * slots, slots);
    System.arraycopy(other.longs, index * slots, longs, size * slots, slots);
    System.arraycopy(other.objects, index * slots, objects, size * slots, slots);
    return size++;
  }

  private void saveSlots(Frame frame, int index) {
    int base = index * set.slotCount();
    for (int i = 0; i < set.slotCount(); i++) {
      int slot = set.slot(i);
      nulls[base + i] = frame.isSlotNull(slot);
      if (slotIsLong[i]) {
        longs[base + i] = frame.slotLong(slot);
      } else {
        objects[base + i] = frame.slotObject(slot);
      }
    }
  }

  private void ensureRow() {
    int rows = Math.max(INITIAL_ROWS, Integer.highestOneBit(size) * 2);
    if (images.length < 2 * (size + 1) * set.rowCount()) {
      images = Arrays.copyOf(images, 2 * rows * set.rowCount());
    }
    if (nulls.length < (size + 1) * set.slotCount()) {
      nulls = Arrays.copyOf(nulls, rows * set.slotCount());
      longs = Arrays.copyOf(longs, rows * set.slotCount());
      objects = Arrays.copyOf(objects, rows * set.slotCount());
    }
  }

  private void ensureBytes(int more) {
    long wanted = (long) used + more;
    if (wanted > arena.length) {
      if (wanted > Integer.MAX_VALUE - 64) {
        throw new NelumboException(
            ErrorCode.OUT_OF_MEMORY, "a statement keeps more than 2 GiB of rows; select less");
      }
      long doubled = Math.max(INITIAL_BYTES, Math.max(2L * arena.length, wanted));
      arena = Arrays.copyOf(arena, (int) Math.min(Integer.MAX_VALUE - 64, doubled));
    }
  }

  /** Makes the frame show a saved row. */
  public void restore(int index, Frame frame) {
    for (int i = 0; i < set.rowCount(); i++) {
      int at = 2 * (index * set.rowCount() + i);
      if (images[at] == ABSENT) {
        frame.clearRow(set.row(i));
      } else {
        frame.row(set.row(i)).wrap(arena, images[at], images[at + 1]);
      }
    }
    int base = index * set.slotCount();
    for (int i = 0; i < set.slotCount(); i++) {
      if (nulls[base + i]) {
        frame.setSlotNull(set.slot(i));
      } else if (slotIsLong[i]) {
        frame.setSlotLong(set.slot(i), longs[base + i]);
      } else {
        frame.setSlotObject(set.slot(i), objects[base + i]);
      }
    }
  }
}
