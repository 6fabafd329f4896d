package org.nelumbo.executor.recovery;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.nelumbo.dm.layout.CellLayout;
import org.nelumbo.dm.layout.RecordLayout;
import org.nelumbo.dm.layout.SizeClass;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.executor.row.RowBuffer;

/** Reads the newest records of many rows with one flush. */
final class RecordBatch {
  /** Receives rows. */
  @FunctionalInterface
  interface Visitor {
    /** Receives a row. The image, whose first {@code keyLength} bytes are its key, is reused. */
    void row(long cvt, RowBuffer image, int keyLength);
  }

  private final Channel channel;
  private final MemorySegment staging;
  private final Visitor visitor;
  private final RowBuffer image = new RowBuffer();
  private long[] cvts = new long[64];
  private int[] offsets = new int[64];
  private int[] blockBytes = new int[64];
  private int count;
  private int mark;

  RecordBatch(Channel channel, Visitor visitor) {
    this.channel = channel;
    this.staging = channel.staging();
    this.visitor = visitor;
  }

  /** Begins a batch, which uses staging memory until {@link #finish}. */
  void begin() {
    mark = channel.mark();
    count = 0;
  }

  /** Adds a row by word 0 of its newest cell, which has a record. */
  void add(long cvt, long word0) {
    int bytes = SizeClass.bytes(CellLayout.sizeClass(word0));
    if (channel.stagingAvailable() < bytes) {
      finish();
    }
    if (count == cvts.length) {
      offsets = Arrays.copyOf(offsets, count * 2);
      blockBytes = Arrays.copyOf(blockBytes, count * 2);
      cvts = Arrays.copyOf(cvts, count * 2);
    }
    cvts[count] = cvt;
    offsets[count] = channel.reserve(bytes);
    blockBytes[count] = bytes;
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
      int keyLength = RecordLayout.keyLength(staging, offsets[row]);
      if (length < keyLength || length > blockBytes[row] - RecordLayout.KEY_OFFSET) {
        throw new IllegalStateException(
            "a record does not fit into its block cvt=" + PoolAddress.toString(cvts[row]));
      }
      image.reset(length);
      MemorySegment.copy(
          staging,
          ValueLayout.JAVA_BYTE,
          offsets[row] + RecordLayout.KEY_OFFSET,
          image.bytes,
          image.offset,
          length);
      visitor.row(cvts[row], image, keyLength);
    }
    channel.release(mark);
    count = 0;
  }
}
