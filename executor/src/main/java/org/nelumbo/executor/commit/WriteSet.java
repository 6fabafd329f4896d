package org.nelumbo.executor.commit;

import java.util.Arrays;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.TableStore;
import org.nelumbo.executor.version.VersionSlotPlan;

/**
 * The rows that a transaction has inserted, changed or deleted, with their new images, until it
 * commits. Reads of the transaction search here first.
 *
 * <p>Each row has one entry. Its state consists of two facts: whether the row existed when the
 * transaction first wrote it, and whether it exists now ({@link #isPresent}; then it has an image).
 * {@link #isFresh} is true if the transaction has created the row's CVT. Images are in one growing
 * byte arena and are never overwritten, so that a savepoint is a position in the undo list. Not
 * thread-safe.
 */
public final class WriteSet {
  /** Small, since every open connection has a write set. It grows with its transactions. */
  private static final int INITIAL_ENTRIES = 8;

  private static final int UNDO_WORDS = 4;

  private static final int INITIAL_IMAGE_BYTES = 256;
  private static final int KEPT_ENTRIES = 1 << 12;
  private static final int KEPT_IMAGE_BYTES = 1 << 20;

  private static final int MAX_IMAGE_BYTES = Integer.MAX_VALUE - 64;

  /** Approximate heap size of an entry in all arrays, including its plan. */
  private static final long ENTRY_BYTES = 250;

  private static final byte EXISTED = 1;
  private static final byte PRESENT = 2;
  private static final byte FRESH = 4;
  private static final byte VOID = 8;

  private int size;
  private TableStore[] tables = new TableStore[INITIAL_ENTRIES];
  private long[] lotusKeys = new long[INITIAL_ENTRIES];
  private long[] cvts = new long[INITIAL_ENTRIES];
  private int[] imageOffsets = new int[INITIAL_ENTRIES];
  private int[] imageLengths = new int[INITIAL_ENTRIES];
  private int[] keyLengths = new int[INITIAL_ENTRIES];
  private byte[] states = new byte[INITIAL_ENTRIES];

  private VersionSlotPlan[] plans = new VersionSlotPlan[INITIAL_ENTRIES];

  private int[] slots = new int[INITIAL_ENTRIES * 2];
  private int mask = slots.length - 1;

  private byte[] images = new byte[INITIAL_IMAGE_BYTES];
  private int imageBytes;

  /**
   * Undo list. A record has the entry (or ~entry if it was added), and its previous image offset,
   * image length and state.
   */
  private int[] undo = new int[4 * INITIAL_ENTRIES];

  private int undoSize;

  public int size() {
    return size;
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public TableStore table(int entry) {
    return tables[entry];
  }

  public long lotusKey(int entry) {
    return lotusKeys[entry];
  }

  public long cvt(int entry) {
    return cvts[entry];
  }

  public boolean isPresent(int entry) {
    return (states[entry] & PRESENT) != 0;
  }

  boolean existed(int entry) {
    return (states[entry] & EXISTED) != 0;
  }

  public boolean isFresh(int entry) {
    return (states[entry] & FRESH) != 0;
  }

  /** Returns the arena that holds keys and images. It may be replaced when something is added. */
  public byte[] images() {
    return images;
  }

  /**
   * Returns the offset of the image: the normalised key, followed by the rest of the row if it is
   * present.
   */
  public int imageOffset(int entry) {
    return imageOffsets[entry];
  }

  /** Returns the plan of the entry's new version. Later transactions reuse it. */
  public VersionSlotPlan plan(int entry) {
    return plans[entry];
  }

  /**
   * Returns the length of the image in bytes, which is that of the key if the row is not present.
   */
  public int imageLength(int entry) {
    return imageLengths[entry];
  }

  public int keyLength(int entry) {
    return keyLengths[entry];
  }

  /** Sets a buffer to the image of a present row. The view is valid until the next write. */
  public void view(int entry, RowBuffer out) {
    out.bytes = images;
    out.offset = imageOffsets[entry];
    out.length = imageLengths[entry];
  }

  /** Returns the entry of a row, or -1. */
  public int find(TableStore table, long lotusKey, byte[] key, int keyOffset, int keyLength) {
    if (size == 0) {
      return -1;
    }
    int slot = hash(lotusKey) & mask;
    for (int found; (found = slots[slot]) != 0; slot = (slot + 1) & mask) {
      int entry = found - 1;
      if (lotusKeys[entry] == lotusKey
          && tables[entry] == table
          && !isVoid(entry)
          && sameKey(entry, key, keyOffset, keyLength)) {
        return entry;
      }
    }
    return -1;
  }

  /** Returns the entry of the row whose CVT has this LOTUS key and address, or -1. */
  public int findByAddress(long lotusKey, long cvt) {
    if (size == 0) {
      return -1;
    }
    int slot = hash(lotusKey) & mask;
    for (int found; (found = slots[slot]) != 0; slot = (slot + 1) & mask) {
      if (cvts[found - 1] == cvt && !isVoid(found - 1)) {
        return found - 1;
      }
    }
    return -1;
  }

  private boolean sameKey(int entry, byte[] key, int keyOffset, int keyLength) {
    int from = imageOffsets[entry];
    return Arrays.equals(
        images, from, from + keyLengths[entry], key, keyOffset, keyOffset + keyLength);
  }

  /**
   * Adds a row that is not present and has no image. {@link #put} follows, or it stays a deletion.
   */
  public int add(TableStore table, KeyBuffer key, long cvt, boolean existed, boolean fresh) {
    reserve(1, key.length);
    int entry = size;
    tables[entry] = table;
    lotusKeys[entry] = key.lotusKey;
    cvts[entry] = cvt;
    keyLengths[entry] = key.length;
    imageOffsets[entry] = append(key.bytes, 0, key.length);
    imageLengths[entry] = key.length;
    states[entry] = (byte) ((existed ? EXISTED : 0) | (fresh ? FRESH : 0));
    size = entry + 1; // an abort finds either no trace of the entry, or all that it needs
    link(entry);
    pushUndo(~entry, 0, 0, 0);
    return entry;
  }

  /**
   * Reserves room for more rows, so that adding them needs no memory.
   *
   * @param bytes total length of their keys and images
   */
  public void reserve(int rows, int bytes) {
    while (size + rows > plans.length) {
      grow();
    }
    for (int entry = size; entry < size + rows; entry++) {
      if (plans[entry] == null) {
        plans[entry] = new VersionSlotPlan();
      }
    }
    reserveImages(bytes);
    while (undoSize + 2 * UNDO_WORDS * rows > undo.length) {
      undo = Arrays.copyOf(undo, undo.length * 2);
    }
  }

  /** Gives the row a new image, which makes it present. */
  public void put(int entry, RowBuffer image) {
    assert image.length >= keyLengths[entry] : "an image without its key";
    pushUndo(entry, imageOffsets[entry], imageLengths[entry], states[entry]);
    imageOffsets[entry] = append(image.bytes, image.offset, image.length);
    imageLengths[entry] = image.length;
    states[entry] |= PRESENT;
  }

  /** Deletes the row, keeping its key. */
  public void remove(int entry) {
    pushUndo(entry, imageOffsets[entry], imageLengths[entry], states[entry]);
    imageLengths[entry] = keyLengths[entry];
    states[entry] &= ~PRESENT;
  }

  /** Returns a position for {@link #rollbackTo}. */
  public int mark() {
    return undoSize;
  }

  /**
   * Undoes all changes since the mark. The locks are kept. Rows inserted since then stay as entries
   * that are not present, so that their CVTs and index entries are removed when the transaction
   * ends.
   */
  public void rollbackTo(int mark) {
    while (undoSize > mark) {
      undoSize -= UNDO_WORDS;
      int entry = undo[undoSize];
      if (entry >= 0) {
        imageOffsets[entry] = undo[undoSize + 1];
        imageLengths[entry] = undo[undoSize + 2];
        states[entry] = (byte) undo[undoSize + 3];
      } else {
        int added = ~entry;
        imageLengths[added] = keyLengths[added];
        states[added] = (byte) (isFresh(added) ? states[added] & ~PRESENT : VOID);
      }
    }
  }

  /**
   * Returns true if a savepoint has undone the entry's first write, so that the row is unchanged in
   * the pool.
   */
  boolean isVoid(int entry) {
    return (states[entry] & VOID) != 0;
  }

  /** Returns true if the entry has a version to write: a row, or the deletion of one. */
  boolean isWritten(int entry) {
    return !isVoid(entry) && (isPresent(entry) || existed(entry));
  }

  /** Returns true if the row of a CVT does not exist after the transaction has committed. */
  public boolean deletes(long lotusKey, long cvt) {
    int slot = hash(lotusKey) & mask;
    for (int found; (found = slots[slot]) != 0; slot = (slot + 1) & mask) {
      int entry = found - 1;
      if (lotusKeys[entry] == lotusKey && cvts[entry] == cvt && !isVoid(entry)) {
        return !isPresent(entry);
      }
    }
    return false;
  }

  public void clear() {
    if (tables.length > KEPT_ENTRIES) {
      resize(INITIAL_ENTRIES);
      slots = new int[INITIAL_ENTRIES * 2];
      mask = slots.length - 1;
    } else {
      for (int entry = 0; entry < size; entry++) {
        unlink(entry);
      }
      Arrays.fill(tables, 0, size, null);
    }
    if (images.length > KEPT_IMAGE_BYTES) {
      images = new byte[INITIAL_IMAGE_BYTES];
    }
    size = 0;
    imageBytes = 0;
    undoSize = 0;
  }

  /** Returns the approximate heap size in bytes. */
  public long heapBytes() {
    return 2L * imageBytes + ENTRY_BYTES * size + 8L * undoSize;
  }

  private void reserveImages(int bytes) {
    long wanted = (long) imageBytes + bytes;
    if (wanted > images.length) {
      if (wanted > MAX_IMAGE_BYTES) {
        throw new NelumboException(
            ErrorCode.LIMIT_EXCEEDED,
            "a transaction can write at most 2 GiB of rows; commit more often");
      }
      images =
          Arrays.copyOf(
              images, (int) Math.min(MAX_IMAGE_BYTES, Math.max(2L * images.length, wanted)));
    }
  }

  private int append(byte[] source, int offset, int length) {
    reserveImages(length);
    int at = imageBytes;
    System.arraycopy(source, offset, images, at, length);
    imageBytes = at + length;
    return at;
  }

  private void pushUndo(int entry, int imageOffset, int imageLength, int state) {
    if (undoSize + UNDO_WORDS > undo.length) {
      undo = Arrays.copyOf(undo, undo.length * 2);
    }
    undo[undoSize] = entry;
    undo[undoSize + 1] = imageOffset;
    undo[undoSize + 2] = imageLength;
    undo[undoSize + 3] = state;
    undoSize += UNDO_WORDS;
  }

  private void link(int entry) {
    int slot = hash(lotusKeys[entry]) & mask;
    while (slots[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    slots[slot] = entry + 1;
  }

  /**
   * Called when all entries are removed, so that no later probe has to pass an emptied slot. An
   * entry has no slot if an exception has interrupted its addition.
   */
  private void unlink(int entry) {
    int slot = hash(lotusKeys[entry]) & mask;
    for (int probed = 0; probed <= mask; probed++) {
      if (slots[slot] == entry + 1) {
        slots[slot] = 0;
        return;
      }
      slot = (slot + 1) & mask;
    }
  }

  private void grow() {
    int[] more = new int[plans.length * 4];
    resize(plans.length * 2);
    slots = more;
    mask = slots.length - 1;
    for (int entry = 0; entry < size; entry++) {
      link(entry);
    }
  }

  /**
   * The plans are last: if memory runs out for an array, the next call replaces all of them again.
   */
  private void resize(int capacity) {
    tables = Arrays.copyOf(tables, capacity);
    lotusKeys = Arrays.copyOf(lotusKeys, capacity);
    cvts = Arrays.copyOf(cvts, capacity);
    imageOffsets = Arrays.copyOf(imageOffsets, capacity);
    imageLengths = Arrays.copyOf(imageLengths, capacity);
    keyLengths = Arrays.copyOf(keyLengths, capacity);
    states = Arrays.copyOf(states, capacity);
    plans = Arrays.copyOf(plans, capacity);
  }

  private static int hash(long lotusKey) {
    return (int) ((lotusKey * 0x9E3779B97F4A7C15L) >>> 32);
  }
}
