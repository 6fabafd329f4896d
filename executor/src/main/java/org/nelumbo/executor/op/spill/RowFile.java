package org.nelumbo.executor.op.spill;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.nelumbo.executor.expr.Frame;
import org.nelumbo.executor.limit.StatementLimits;
import org.nelumbo.executor.op.core.FrameFields;
import org.nelumbo.executor.row.RowBuffer;

/**
 * A temporary file of rows: the frame state of an operator's rows, each with an optional key. Rows
 * are written, then read in the same order. A row in the frame is valid until the next one is read.
 * Not thread-safe.
 */
public final class RowFile implements AutoCloseable {
  private static final int BUFFER_BYTES = 32 << 10;
  private static final int ABSENT = -1;
  private static final byte NULL = 0;
  private static final byte NUMBER = 1;
  private static final byte LATIN_TEXT = 2;
  private static final byte TEXT = 3;
  private static final byte BINARY = 4;
  private static final byte DECIMAL = 5;
  private static final byte UUID_VALUE = 6;

  private final FrameFields fields;
  private final StatementLimits limits;
  private final boolean[] slotIsLong;
  private final TemporaryFile file;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private ByteBuffer row = ByteBuffer.allocate(256);
  private long length;
  private long position;
  private long rows;
  private boolean closed;

  /** Creates a file for the rows that these fields of the frame show. */
  public RowFile(FrameFields fields, Frame frame) {
    this.fields = fields;
    this.limits = frame.limits();
    this.slotIsLong = new boolean[fields.slotCount()];
    for (int i = 0; i < slotIsLong.length; i++) {
      slotIsLong[i] = frame.layout().slotType(fields.slot(i)).isLong();
    }
    this.file = TemporaryFile.create(); // last, since nothing closes it if a later statement throws
  }

  private RowFile(RowFile written) {
    this.fields = written.fields;
    this.limits = written.limits;
    this.slotIsLong = written.slotIsLong;
    this.file = written.file;
    this.length = written.length;
    this.rows = written.rows;
    this.closed = true; // closed by the file that was written
    restart();
  }

  /**
   * Returns a reader with its own position, at the first row. Requires {@link #rewind}; valid until
   * this file is closed.
   */
  public RowFile newReader() {
    return new RowFile(this);
  }

  /** Returns the number of rows written. */
  public long rows() {
    return rows;
  }

  // Writing.

  /** Writes the frame's current row without a key. */
  public void write(Frame frame) {
    write(frame, row.array(), 0, 0);
  }

  /** Writes the frame's current row and a key. */
  public void write(Frame frame, byte[] key, int offset, int keyLength) {
    limits.work(1);
    row.clear();
    putBytes(key, offset, keyLength);
    for (int i = 0; i < fields.rowCount(); i++) {
      RowBuffer image = frame.row(fields.row(i));
      if (image.bytes == null) {
        room(Integer.BYTES).putInt(ABSENT);
      } else {
        putBytes(image.bytes, image.offset, image.length);
      }
    }
    for (int i = 0; i < slotIsLong.length; i++) {
      putSlot(frame, i);
    }
    append(row.array(), row.position());
    rows++;
  }

  private ByteBuffer room(int more) {
    if (row.remaining() < more) {
      ByteBuffer wider = ByteBuffer.allocate(Math.max(2 * row.capacity(), row.position() + more));
      row = wider.put(row.flip());
    }
    return row;
  }

  private void putBytes(byte[] bytes, int offset, int count) {
    room(Integer.BYTES + count).putInt(count).put(bytes, offset, count);
  }

  private void putSlot(Frame frame, int i) {
    int slot = fields.slot(i);
    if (frame.isSlotNull(slot)) {
      room(1).put(NULL);
    } else if (slotIsLong[i]) {
      room(1 + Long.BYTES).put(NUMBER).putLong(frame.slotLong(slot));
    } else {
      putObject(frame.slotObject(slot));
    }
  }

  private void putObject(Object value) {
    switch (value) {
      case String text -> {
        boolean latin = text.chars().allMatch(c -> c < 256);
        room(1).put(latin ? LATIN_TEXT : TEXT);
        if (latin) {
          byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
          putBytes(bytes, 0, bytes.length);
        } else {
          room(Integer.BYTES + 2 * text.length()).putInt(text.length());
          text.chars().forEach(c -> row.putChar((char) c));
        }
      }
      case byte[] bytes -> {
        room(1).put(BINARY);
        putBytes(bytes, 0, bytes.length);
      }
      case BigDecimal number -> {
        room(1 + Integer.BYTES).put(DECIMAL).putInt(number.scale());
        byte[] unscaled = number.unscaledValue().toByteArray();
        putBytes(unscaled, 0, unscaled.length);
      }
      case UUID uuid ->
          room(1 + 2 * Long.BYTES)
              .put(UUID_VALUE)
              .putLong(uuid.getMostSignificantBits())
              .putLong(uuid.getLeastSignificantBits());
      default -> throw new IllegalStateException("no raw value, class=" + value.getClass());
    }
  }

  private void append(byte[] bytes, int count) {
    if (buffer.remaining() < Integer.BYTES + count) {
      flush();
    }
    if (buffer.remaining() < Integer.BYTES + count) {
      ByteBuffer head = ByteBuffer.allocate(Integer.BYTES).putInt(count).flip();
      file.write(head, length);
      file.write(ByteBuffer.wrap(bytes, 0, count), length + Integer.BYTES);
      length += Integer.BYTES + count;
    } else {
      buffer.putInt(count).put(bytes, 0, count);
    }
  }

  private void flush() {
    buffer.flip();
    int count = buffer.remaining();
    file.write(buffer, length);
    length += count;
    buffer.clear();
  }

  /** Ends writing, and moves to the first row. */
  public void rewind() {
    flush();
    limits.noteSpill(length);
    restart();
  }

  /** Returns to the first row, after {@link #rewind}. */
  public void restart() {
    position = 0;
    buffer.position(0).limit(0);
  }

  // Reading.

  /** Moves to the next row; returns false after the last. */
  public boolean next() {
    limits.work(1);
    if (!available(Integer.BYTES)) {
      return false;
    }
    int count = buffer.getInt();
    if (row.capacity() < count) {
      row = ByteBuffer.allocate(Math.max(2 * row.capacity(), count));
    }
    row.clear();
    int buffered = Math.min(count, buffer.remaining());
    row.put(buffer.slice(buffer.position(), buffered));
    buffer.position(buffer.position() + buffered);
    if (buffered < count) {
      row.limit(count);
      file.read(row, position);
      position += count - buffered;
    }
    row.flip();
    return true;
  }

  private boolean available(int count) {
    if (buffer.remaining() < count) {
      buffer.compact();
      int wanted = (int) Math.min(buffer.remaining(), length - position);
      buffer.limit(buffer.position() + wanted);
      file.read(buffer, position);
      position += wanted;
      buffer.flip();
    }
    return buffer.remaining() >= count;
  }

  /** Returns the array that holds the key of the row, from {@link #keyOffset}. */
  byte[] keyBytes() {
    return row.array();
  }

  /** Returns the start index of the key. */
  int keyOffset() {
    return Integer.BYTES;
  }

  /** Returns the length of the key. */
  int keyLength() {
    return row.getInt(0);
  }

  /** Restores the row to the frame. */
  public void show(Frame frame) {
    row.position(Integer.BYTES + keyLength());
    for (int i = 0; i < fields.rowCount(); i++) {
      int count = row.getInt();
      if (count == ABSENT) {
        frame.clearRow(fields.row(i));
      } else {
        frame.row(fields.row(i)).wrap(row.array(), row.position(), count);
        row.position(row.position() + count);
      }
    }
    for (int i = 0; i < slotIsLong.length; i++) {
      showSlot(frame, fields.slot(i));
    }
  }

  private void showSlot(Frame frame, int slot) {
    byte kind = row.get();
    switch (kind) {
      case NULL -> frame.setSlotNull(slot);
      case NUMBER -> frame.setSlotLong(slot, row.getLong());
      case LATIN_TEXT ->
          frame.setSlotObject(slot, new String(takeBytes(), StandardCharsets.ISO_8859_1));
      case TEXT -> {
        char[] chars = new char[row.getInt()];
        row.asCharBuffer().get(chars);
        row.position(row.position() + 2 * chars.length);
        frame.setSlotObject(slot, new String(chars));
      }
      case BINARY -> frame.setSlotObject(slot, takeBytes());
      case DECIMAL -> {
        int scale = row.getInt();
        frame.setSlotObject(slot, new BigDecimal(new BigInteger(takeBytes()), scale));
      }
      case UUID_VALUE -> frame.setSlotObject(slot, new UUID(row.getLong(), row.getLong()));
      default -> throw new IllegalStateException("unknown kind of value kind=" + kind);
    }
  }

  private byte[] takeBytes() {
    byte[] bytes = new byte[row.getInt()];
    row.get(bytes);
    return bytes;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      file.close();
    }
  }
}
