package org.nelumbo.dm.node;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.tcp.Wire;
import org.nelumbo.dm.peer.PeerId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outgoing frames for the connection of one compute node. A thread that has added a frame
 * writes the pending frames unless another thread does, so no other thread has to be woken. These
 * writes do not block: the compute node acknowledges the bytes that it has read, and the
 * unacknowledged bytes are limited to what a socket buffers. The remaining frames are written by a
 * background thread of the queue, which may block.
 *
 * <p>The queue is bounded. Once its two buffers, one being filled and one being written, have
 * grown, a frame allocates nothing. Thread-safe.
 */
final class MessageQueue implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MessageQueue.class);

  /** Maximum of pending bytes for a compute node that does not read; further frames are lost. */
  static final int BYTES_MAX = 1 << 20;

  /** Maximum of unacknowledged bytes for writes by any thread. */
  static final int WINDOW_BYTES = 64 << 10;

  /** Send buffer of the socket; small frames take more room in it than their length. */
  static final int SOCKET_BYTES = 8 * WINDOW_BYTES;

  private static final int FIRST_BYTES = 16 << 10;

  /** Backstop only: the writer is always unparked. */
  private static final long PARK_NANOS = 1_000_000_000L;

  private final Environment environment;
  private final OutputStream out;
  private final Runnable onFailure;
  private final BackgroundThread writer;

  /** Guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private ByteBuffer filled = Wire.buffer(FIRST_BYTES);
  private boolean isBeatDue;
  private long beat;
  private boolean isStarted;
  private boolean isWriting;
  private long sentBytes;
  private long arrivedBytes;

  /** Used by the writing thread. */
  private ByteBuffer written = Wire.buffer(FIRST_BYTES);

  /**
   * Creates a queue that writes nothing before {@link #start}.
   *
   * @param onFailure ends the connection
   */
  MessageQueue(Environment environment, OutputStream out, Runnable onFailure) {
    this.environment = environment;
    this.out = out;
    this.onFailure = onFailure;
    this.writer = new BackgroundThread(environment, "nelumbo-message-writer", this::writeAll);
  }

  void start() {
    lock.lock();
    try {
      isStarted = true;
    } finally {
      lock.unlock();
    }
    writer.start();
  }

  /**
   * Adds the frame of a message, for {@link #flush}; returns false if it does not fit.
   *
   * @param other the other compute node
   * @param from frame of a message, which starts at the buffer's position
   * @param length length of the message
   */
  boolean put(byte type, PeerId other, ByteBuffer from, int length) {
    int frameLength = Wire.MESSAGE_OFFSET + Wire.padded(length);
    lock.lock();
    try {
      if (!hasRoom(frameLength)) {
        return false;
      }
      int at = filled.position();
      short kind = type == Wire.DELIVER ? from.getShort(Wire.COUNT_OFFSET) : 0;
      filled.putInt(frameLength).put(type).put((byte) 0).putShort(kind).putLong(0);
      filled.putInt(other.node()).putInt(length).putLong(other.incarnation());
      filled.put(
          at + Wire.MESSAGE_OFFSET,
          from,
          from.position() + Wire.MESSAGE_OFFSET,
          Wire.padded(length));
      filled.position(at + frameLength);
    } finally {
      lock.unlock();
    }
    return true;
  }

  private boolean hasRoom(int bytes) {
    assert lock.isHeldByCurrentThread();
    int wanted = filled.position() + bytes;
    if (wanted > BYTES_MAX) {
      return false;
    }
    if (wanted > filled.capacity()) {
      ByteBuffer larger = Wire.buffer(Math.min(Math.max(wanted, 2 * filled.capacity()), BYTES_MAX));
      filled = larger.put(filled.flip());
    }
    return true;
  }

  /** Adds the response to a heartbeat, even if the queue is full. */
  void putBeat(long sequence) {
    lock.lock();
    try {
      isBeatDue = true;
      beat = sequence;
    } finally {
      lock.unlock();
    }
  }

  /** Records that the compute node has read a number of bytes. */
  void arrived(long bytes) {
    lock.lock();
    try {
      arrivedBytes = Math.max(arrivedBytes, Math.min(bytes, sentBytes));
    } finally {
      lock.unlock();
    }
  }

  /** Writes the pending frames, or leaves them to another thread; does not wait. */
  void flush() {
    try {
      while (take(false)) {
        write();
      }
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
  }

  private void writeAll() {
    try {
      while (!writer.isStopped()) {
        if (take(true)) {
          write();
        } else {
          environment.parkNanos(PARK_NANOS);
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      fail(e);
    }
  }

  private void write() throws IOException {
    out.write(Wire.array(written), 0, written.position());
    written.clear();
    lock.lock();
    try {
      isWriting = false;
    } finally {
      lock.unlock();
    }
  }

  private void fail(Throwable why) {
    LOG.debug("a message connection is lost", why);
    end();
  }

  /**
   * Takes the pending bytes; returns false if there are none, or another thread has to write them.
   */
  private boolean take(boolean mayWait) {
    boolean isTooMuch;
    lock.lock();
    try {
      if (isWriting || !isStarted || !isBeatDue && filled.position() == 0) {
        return false;
      }
      int length = isBeatDue ? Wire.HEADER_LENGTH : filled.position();
      isTooMuch = !mayWait && sentBytes + length - arrivedBytes > WINDOW_BYTES;
      if (!isTooMuch) {
        isWriting = true;
        sentBytes += length;
        swap();
      }
    } finally {
      lock.unlock();
    }
    if (isTooMuch) {
      writer.wake();
    }
    return !isTooMuch;
  }

  private void swap() {
    assert lock.isHeldByCurrentThread();
    if (isBeatDue) {
      isBeatDue = false;
      written.putInt(Wire.HEADER_LENGTH).put(Wire.BEAT).put((byte) 0).putShort((short) 0);
      written.putLong(beat);
    } else {
      ByteBuffer empty = written;
      written = filled;
      filled = empty;
    }
  }

  /** Ends the connection; after that the queue is closed. */
  void end() {
    writer.stop();
    onFailure.run();
  }

  /** Returns when the thread has ended; the connection must have ended before. */
  @Override
  public void close() {
    writer.stop();
    writer.join();
  }
}
