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

  private final FrameFields fields;
  private final boolean[] slotIsLong;
  private byte[] arena = new byte[0];
  private int used;
  private int size;

  /** Of each row: offset and length of each image. */
  private int[] images = new int[0];

  private long[] longs = new long[0];
  private Object[] objects = new Object[0];
  private boolean[] nulls = new boolean[0];

  public MaterializedRows(FrameFields fields, FrameLayout layout) {
    this.fields = fields;
    this.slotIsLong = new boolean[fields.slotCount()];
    for (int i = 0; i < slotIsLong.length; i++) {
      slotIsLong[i] = layout.slotType(fields.slot(i)).isLong();
    }
  }

  public int size() {
    return size;
  }

  /** Forgets the rows. */
  public void clear() {
    if (objects.length > 0) {
      Arrays.fill(objects, 0, Math.min(objects.length, size * fields.slotCount()), null);
    }
    used = 0;
    size = 0;
  }

  /** Saves the row the frame shows; returns its index. */
  public int add(Frame frame) {
    ensureRow();
    for (int i = 0; i < fields.rowCount(); i++) {
      addImage(2 * (size * fields.rowCount() + i), frame.row(fields.row(i)));
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

  /** Saves a copy of another one's saved row, both of the same fields. */
  public int addFrom(MaterializedRows other, int index) {
    assert other.fields.rowCount() == fields.rowCount() : "rows=" + other.fields.rowCount();
    assert other.fields.slotCount() == fields.slotCount() : "slots=" + other.fields.slotCount();
    ensureRow();
    for (int i = 0; i < fields.rowCount(); i++) {
      int from = 2 * (index * fields.rowCount() + i);
      int to = 2 * (size * fields.rowCount() + i);
      if (other.images[from] == ABSENT) {
        images[to] = ABSENT;
      } else {
        addImage(to, other.arena, other.images[from], other.images[from + 1]);
      }
    }
    int slots = fields.slotCount();
    System.arraycopy(other.nulls, index * slots, nulls, size * slots, slots);
    System.arraycopy(other.longs, index * slots, longs, size * slots, slots);
    System.arraycopy(other.objects, index * slots, objects, size * slots, slots);
    return size++;
  }

  private void saveSlots(Frame frame, int index) {
    int base = index * fields.slotCount();
    for (int i = 0; i < fields.slotCount(); i++) {
      int slot = fields.slot(i);
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
    if (images.length < 2 * (size + 1) * fields.rowCount()) {
      images = Arrays.copyOf(images, 2 * rows * fields.rowCount());
    }
    if (nulls.length < (size + 1) * fields.slotCount()) {
      nulls = Arrays.copyOf(nulls, rows * fields.slotCount());
      longs = Arrays.copyOf(longs, rows * fields.slotCount());
      objects = Arrays.copyOf(objects, rows * fields.slotCount());
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
    assert index < size : "index=" + index + " size=" + size;
    for (int i = 0; i < fields.rowCount(); i++) {
      int at = 2 * (index * fields.rowCount() + i);
      if (images[at] == ABSENT) {
        frame.clearRow(fields.row(i));
      } else {
        frame.row(fields.row(i)).wrap(arena, images[at], images[at + 1]);
      }
    }
    int base = index * fields.slotCount();
    for (int i = 0; i < fields.slotCount(); i++) {
      if (nulls[base + i]) {
        frame.setSlotNull(fields.slot(i));
      } else if (slotIsLong[i]) {
        frame.setSlotLong(fields.slot(i), longs[base + i]);
      } else {
        frame.setSlotObject(fields.slot(i), objects[base + i]);
      }
    }
  }
}
