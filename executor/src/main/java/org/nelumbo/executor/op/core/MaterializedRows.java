package org.nelumbo.executor.op.core;

import java.math.BigDecimal;
import java.util.Arrays;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.expr.FrameLayout;
import org.nelumbo.executor.limit.MemoryAccount;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.row.RowBuffer;

/**
 * Copies of the frame state of an operator's rows: the images as bytes in chunks, the slots in
 * arrays. Only the first chunk grows, so that large amounts of rows are not copied repeatedly. A
 * restored row is a view of a chunk, valid until the rows are cleared. Reusable; makes no garbage
 * once it has grown. Memory beyond a small initial amount is reserved in the statement's budget.
 */
public final class MaterializedRows {
  private static final int INITIAL_BYTES = 1024;
  private static final int INITIAL_ROWS = 16;
  private static final int ABSENT = -1;
  private static final int CHUNK_BITS = 20;

  /** Size of all chunks but the first, in bytes; larger than the longest image. */
  private static final int CHUNK = 1 << CHUNK_BITS;

  private static final int MOST_CHUNKS = (1 << 31 - CHUNK_BITS) - 1;
  private static final int MAX_ARRAY = Integer.MAX_VALUE - 64;
  private static final int OBJECT_BYTES = 56;

  private final FrameFields fields;
  private final boolean[] slotIsLong;
  private final MemoryAccount account;
  private byte[][] chunks = {new byte[0]};
  private int chunkCount = 1;
  private long chunkBytes;

  /** Chunk to which images are added, and the number of its bytes in use. */
  private int chunk;

  private int used;

  /** Length of each image of the row being added; {@link #ABSENT} if it is missing. */
  private final int[] lengths;

  private int size;

  /** Bytes that are reserved by the account or are free of charge. */
  private long reserved = MemoryAccount.FREE_BYTES;

  /** Approximate size of the objects that the slots refer to, in bytes. */
  private long objectBytes;

  /** Location and length of each image of each row; a location is a chunk and an offset in it. */
  private int[] images = new int[0];

  private long[] longs = new long[0];
  private Object[] objects = new Object[0];
  private boolean[] nulls = new boolean[0];

  /**
   * Creates an empty set of rows.
   *
   * @param owner user of the memory, for messages
   */
  public MaterializedRows(FrameFields fields, Frame frame, String owner) {
    this(fields, frame, frame.limits().newAccount(owner));
  }

  private MaterializedRows(FrameFields fields, Frame frame, MemoryAccount account) {
    FrameLayout layout = frame.layout();
    this.fields = fields;
    this.account = account;
    this.lengths = new int[fields.rowCount()];
    this.slotIsLong = new boolean[fields.slotCount()];
    for (int i = 0; i < slotIsLong.length; i++) {
      slotIsLong[i] = layout.slotType(fields.slot(i)).isLong();
    }
  }

  /**
   * Creates a buffer for a single row that must be kept while all the memory of the statement is in
   * use. Its memory is not counted.
   */
  public static MaterializedRows uncounted(FrameFields fields, Frame frame) {
    return new MaterializedRows(fields, frame, new StatementLimits().newAccount("a row"));
  }

  public int size() {
    return size;
  }

  /** Removes the rows; keeps the memory for later ones. */
  public void clear() {
    if (objects.length > 0) {
      Arrays.fill(objects, 0, Math.min(objects.length, size * fields.slotCount()), null);
    }
    chunk = 0;
    used = 0;
    size = 0;
    objectBytes = 0;
  }

  /** Removes the rows, and releases memory beyond a small initial amount. */
  public void release() {
    if (reserved > MemoryAccount.FREE_BYTES) {
      chunks = new byte[][] {new byte[0]};
      chunkCount = 1;
      chunkBytes = 0;
      images = new int[0];
      longs = new long[0];
      objects = new Object[0];
      nulls = new boolean[0];
      account.close();
      reserved = MemoryAccount.FREE_BYTES;
    }
    clear();
  }

  /**
   * Saves the frame's current row and returns its index. Fails with 53200 if there is no memory for
   * it.
   */
  public int add(Frame frame) {
    if (!tryAdd(frame)) {
      throw account.exhausted(2 * reserved);
    }
    return size - 1;
  }

  /**
   * Saves the frame's current row; returns false without an effect if there is no memory for it.
   */
  public boolean tryAdd(Frame frame) {
    for (int i = 0; i < fields.rowCount(); i++) {
      RowBuffer image = frame.row(fields.row(i));
      lengths[i] = image.bytes == null ? ABSENT : image.length;
    }
    long added = objectBytes(frame);
    if (!ensure(added)) {
      return false;
    }
    objectBytes += added;
    for (int i = 0; i < fields.rowCount(); i++) {
      RowBuffer image = frame.row(fields.row(i));
      int at = 2 * (size * fields.rowCount() + i);
      if (image.bytes == null) {
        images[at] = ABSENT;
      } else {
        addImage(at, image.bytes, image.offset, image.length);
      }
    }
    saveSlots(frame, size);
    size++;
    return true;
  }

  private long objectBytes(Frame frame) {
    long bytes = 0;
    for (int i = 0; i < slotIsLong.length; i++) {
      if (!slotIsLong[i]) {
        bytes += bytesOf(frame.slotObject(fields.slot(i)));
      }
    }
    return bytes;
  }

  /** Returns the approximate memory of a raw value of an object type, in bytes. */
  public static long bytesOf(Object value) {
    return switch (value) {
      case null -> 0;
      case String text -> OBJECT_BYTES + 2L * text.length();
      case byte[] bytes -> OBJECT_BYTES + bytes.length;
      case BigDecimal _ -> 2 * OBJECT_BYTES;
      default -> OBJECT_BYTES;
    };
  }

  private void addImage(int at, byte[] bytes, int offset, int length) {
    if (used + length > chunks[chunk].length) {
      makeRoom(length);
    }
    System.arraycopy(bytes, offset, chunks[chunk], used, length);
    images[at] = chunk << CHUNK_BITS | used;
    images[at + 1] = length;
    used += length;
  }

  private void makeRoom(int length) {
    if (chunk == 0 && used + length <= CHUNK) {
      chunkBytes -= chunks[0].length;
      chunks[0] = Arrays.copyOf(chunks[0], grownFirst(used + length));
      chunkBytes += chunks[0].length;
      return;
    }
    chunk++;
    used = 0;
    if (chunk == chunkCount) {
      if (chunk == chunks.length) {
        chunks = Arrays.copyOf(chunks, 2 * chunk);
      }
      chunks[chunk] = new byte[CHUNK];
      chunkCount++;
      chunkBytes += CHUNK;
    }
  }

  private int grownFirst(int needed) {
    return Math.min(CHUNK, Math.max(INITIAL_BYTES, Math.max(2 * chunks[0].length, needed)));
  }

  /**
   * Saves a copy of a row of another set with the same fields; returns false without an effect if
   * there is no memory for it.
   */
  public boolean tryAddFrom(MaterializedRows other, int index) {
    assert other.fields.rowCount() == fields.rowCount() : "rows=" + other.fields.rowCount();
    assert other.fields.slotCount() == fields.slotCount() : "slots=" + other.fields.slotCount();
    for (int i = 0; i < fields.rowCount(); i++) {
      int from = 2 * (index * fields.rowCount() + i);
      lengths[i] = other.images[from] == ABSENT ? ABSENT : other.images[from + 1];
    }
    if (!ensure(0)) {
      return false;
    }
    for (int i = 0; i < fields.rowCount(); i++) {
      int from = 2 * (index * fields.rowCount() + i);
      int to = 2 * (size * fields.rowCount() + i);
      if (other.images[from] == ABSENT) {
        images[to] = ABSENT;
      } else {
        int imageOffset = other.images[from];
        addImage(
            to,
            other.chunks[imageOffset >>> CHUNK_BITS],
            imageOffset & CHUNK - 1,
            other.images[from + 1]);
      }
    }
    int slots = fields.slotCount();
    System.arraycopy(other.nulls, index * slots, nulls, size * slots, slots);
    System.arraycopy(other.longs, index * slots, longs, size * slots, slots);
    System.arraycopy(other.objects, index * slots, objects, size * slots, slots);
    size++;
    return true;
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

  private boolean ensure(long newObjectBytes) {
    boolean rowFits =
        images.length >= 2 * (size + 1) * fields.rowCount()
            && nulls.length >= (size + 1) * fields.slotCount();
    long bytes = missingBytes();
    if (rowFits && bytes == 0 && newObjectBytes == 0) {
      return true;
    }
    long rows = rowFits ? 0 : Math.max(INITIAL_ROWS, Integer.highestOneBit(size) * 2L);
    long perRow = 8L * fields.rowCount() + 17L * fields.slotCount();
    boolean addressable =
        chunk + 1 + fields.rowCount() < MOST_CHUNKS && rows * (perRow + 1) < MAX_ARRAY;
    // While an array grows, the old one takes memory, too.
    long wanted = heapBytes() + newObjectBytes + bytes + rows * perRow;
    if (!addressable || !reserve(wanted)) {
      return false;
    }
    if (!rowFits) {
      growRows((int) rows);
    }
    return true;
  }

  private long missingBytes() {
    int in = chunk;
    long end = used;
    long room = chunks[in].length;
    long missing = 0;
    for (int length : lengths) {
      end += Math.max(0, length);
      if (end > room && in == 0 && end <= CHUNK) {
        room = grownFirst((int) end);
        missing += room;
      } else if (end > room) {
        in++;
        end = length;
        room = CHUNK;
        missing += in < chunkCount ? 0 : CHUNK;
      }
    }
    return missing;
  }

  private void growRows(int rows) {
    longs = Arrays.copyOf(longs, rows * fields.slotCount());
    objects = Arrays.copyOf(objects, rows * fields.slotCount());
    nulls = Arrays.copyOf(nulls, rows * fields.slotCount());
    images = Arrays.copyOf(images, 2 * rows * fields.rowCount());
  }

  /** Returns the approximate heap memory of the rows, in bytes. */
  public long heapBytes() {
    return chunkBytes + 4L * images.length + 17L * nulls.length + objectBytes;
  }

  private boolean reserve(long bytes) {
    if (bytes <= reserved) {
      return true;
    }
    long ample = bytes + bytes / 4;
    if (account.tryResize(ample)) {
      reserved = ample;
      return true;
    }
    if (account.tryResize(bytes)) {
      reserved = bytes;
      return true;
    }
    return false;
  }

  /** Restores a saved row to the frame. */
  public void restore(int index, Frame frame) {
    assert index < size : "index=" + index + " size=" + size;
    for (int i = 0; i < fields.rowCount(); i++) {
      int at = 2 * (index * fields.rowCount() + i);
      if (images[at] == ABSENT) {
        frame.clearRow(fields.row(i));
      } else {
        int imageOffset = images[at];
        frame
            .row(fields.row(i))
            .wrap(chunks[imageOffset >>> CHUNK_BITS], imageOffset & CHUNK - 1, images[at + 1]);
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
