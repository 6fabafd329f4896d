package org.nelumbo.executor.recovery;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.nelumbo.dm.alloc.SizeClass;
import org.nelumbo.dm.fabric.Channel;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.RecordLayout;
import org.nelumbo.executor.row.KeyBuffer;
import org.nelumbo.executor.row.RowBuffer;
import org.nelumbo.executor.table.IndexStore;

/**
 * The entries that the rows of a table, as they are, have in its secondary indexes. Reads the
 * newest record of each row, many with one flush; nothing if there are no such indexes.
 */
final class EntryKeys {
  private final Channel channel;
  private final MemorySegment staging;
  private final IndexStore[] indexes;
  private final KeySet[] sets;
  private final RowBuffer image = new RowBuffer();
  private final KeyBuffer key = new KeyBuffer();
  private long[] cvts = new long[64];
  private int[] offsets = new int[64];
  private int count;
  private int mark;

  EntryKeys(Channel channel, IndexStore[] indexes) {
    this.channel = channel;
    this.staging = channel.staging();
    this.indexes = indexes;
    this.sets = new KeySet[indexes.length];
    for (int i = 0; i < sets.length; i++) {
      sets[i] = new KeySet();
    }
  }

  /** The entries of an index, by its place in the table. */
  KeySet set(int index) {
    return sets[index];
  }

  /** Begins a batch; takes staging memory until {@link #finish}. */
  void begin() {
    mark = channel.mark();
    count = 0;
  }

  /** Adds a row by the word 0 of its newest cell, which has a record. */
  void add(long cvt, long word0) {
    if (indexes.length == 0) {
      return;
    }
    int bytes = SizeClass.bytes(CellLayout.sizeClass(word0));
    if (channel.stagingAvailable() < bytes) {
      finish();
    }
    if (count == cvts.length) {
      cvts = Arrays.copyOf(cvts, count * 2);
      offsets = Arrays.copyOf(offsets, count * 2);
    }
    cvts[count] = cvt;
    offsets[count] = channel.reserve(bytes);
    channel.read(CellLayout.address(word0), offsets[count], bytes);
    count++;
  }

  /** Ends a batch. */
  void finish() {
    if (count > 0) {
      channel.flush();
    }
    for (int row = 0; row < count; row++) {
      int length = RecordLayout.length(staging, offsets[row]) - RecordLayout.KEY_OFFSET;
      image.reset(length);
      MemorySegment.copy(
          staging,
          ValueLayout.JAVA_BYTE,
          offsets[row] + RecordLayout.KEY_OFFSET,
          image.bytes,
          image.offset,
          length);
      for (int i = 0; i < indexes.length; i++) {
        indexes[i].encoder().build(image, key);
        sets[i].add(key.bytes, key.length, cvts[row]);
      }
    }
    channel.release(mark);
    count = 0;
  }
}
