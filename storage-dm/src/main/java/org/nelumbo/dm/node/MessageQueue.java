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
 * Queue of frames for the connection of one compute node. Whoever has put something in writes what
 * there is, unless somebody does already: no other thread has to be woken for it. Nobody waits for
 * that: the compute node says how much it has read, and so little goes beyond that that a socket
 * takes it. The rest is written by a thread of the queue, which may wait.
 *
 * <p>The queue is bounded, and nothing is allocated for a frame once the two buffers, one that is
 * filled and one that is written, have grown. Thread-safe.
 */
final class MessageQueue implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MessageQueue.class);

  /** Bytes that wait for a compute node that does not read; more are lost. */
  static final int BYTES_MAX = 1 << 20;

  /** Bytes that may be on their way, or wait in a socket, and are written by anybody. */
  static final int WINDOW_BYTES = 64 << 10;

  /** What a socket takes; small frames take more of that than they are long. */
  static final int SOCKET_BYTES = 8 * WINDOW_BYTES;

  private static final int FIRST_BYTES = 16 << 10;

  /** Nobody is left unwoken; this is a backstop. */
  private static final long PARK_NANOS = 1_000_000_000L;

  private final Environment environment;
  private final OutputStream out;
  private final Runnable onFailure;
  private final BackgroundThread writer;

  /** Guards all below. */
  private final ReentrantLock lock = new ReentrantLock();

  private ByteBuffer filled = Wire.buffer(FIRST_BYTES);
  private boolean isBeatDue;
  private long beat;
  private boolean isStarted;
  private boolean isWriting;
  private long sentBytes;
  private long arrivedBytes;

  /** Used by whoever writes. */
  private ByteBuffer written = Wire.buffer(FIRST_BYTES);

  /**
   * A queue of which nothing is written before {@link #start}.
   *
   * @param onFailure what ends the connection
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
   * Puts a frame of a message in, for {@link #flush}; returns false if there is no room.
   *
   * @param other the other compute node
   * @param from frame of a message, which is at its position
   * @param length of the message
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

  /** Puts the answer to a sign of life in, however much is in the queue. */
  void putBeat(long sequence) {
    lock.lock();
    try {
      isBeatDue = true;
      beat = sequence;
    } finally {
      lock.unlock();
    }
  }

  /** The compute node has read so many bytes. */
  void arrived(long bytes) {
    lock.lock();
    try {
      arrivedBytes = Math.max(arrivedBytes, Math.min(bytes, sentBytes));
    } finally {
      lock.unlock();
    }
  }

  /** Sees to it that what there is gets written, and waits for nothing. */
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

  /** Nobody writes any more. */
  private void fail(Throwable why) {
    LOG.debug("a connection for messages is lost", why);
    end();
  }

  /**
   * Takes what there is to be written; returns false if there is nothing, or it is somebody else's
   * to write.
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

  /** Ends the connection, after which the queue is closed. */
  void end() {
    writer.stop();
    onFailure.run();
  }

  /** Returns when the thread has ended; the connection has before. */
  @Override
  public void close() {
    writer.stop();
    writer.join();
  }
}
