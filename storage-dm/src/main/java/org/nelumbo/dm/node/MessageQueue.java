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
 * Queue of frames for the connection of one compute node, and the thread that writes them. The
 * queue is bounded, and putting something in waits for nothing. Nothing is allocated for a frame
 * once the two buffers, one that is filled and one that is written, have grown. Thread-safe.
 */
final class MessageQueue implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MessageQueue.class);

  /** Bytes that wait for a compute node that does not read; more are lost. */
  static final int BYTES_MAX = 1 << 20;

  private static final int FIRST_BYTES = 16 << 10;

  /** Nobody is left unwoken; this is a backstop. */
  private static final long PARK_NANOS = 1_000_000_000L;

  private final Environment environment;
  private final OutputStream out;
  private final Runnable onFailure;
  private final BackgroundThread writer;

  /** Guards the buffer that is filled, and the sign of life. */
  private final ReentrantLock lock = new ReentrantLock();

  private ByteBuffer filled = Wire.buffer(FIRST_BYTES);
  private boolean isBeatDue;
  private long beat;

  /** Used by the thread that writes. */
  private ByteBuffer written = Wire.buffer(FIRST_BYTES);

  /**
   * A queue whose thread is started by {@link #start}.
   *
   * @param onFailure what ends the connection
   */
  MessageQueue(Environment environment, OutputStream out, Runnable onFailure) {
    this.environment = environment;
    this.out = out;
    this.onFailure = onFailure;
    this.writer = new BackgroundThread(environment, "nelumbo-message-writer", this::write);
  }

  void start() {
    writer.start();
  }

  /**
   * Puts a frame of a message in; returns false if there is no room.
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
      filled.putInt(frameLength).put(type).put((byte) 0).putShort((short) 0).putLong(0);
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
    writer.wake();
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

  /** Answers a sign of life, however much is in the queue. */
  void putBeat(long sequence) {
    lock.lock();
    try {
      isBeatDue = true;
      beat = sequence;
    } finally {
      lock.unlock();
    }
    writer.wake();
  }

  private void write() {
    try {
      while (!writer.isStopped()) {
        if (take()) {
          out.write(Wire.array(written), 0, written.position());
          written.clear();
        } else {
          environment.parkNanos(PARK_NANOS);
        }
      }
    } catch (IOException | RuntimeException | Error e) {
      LOG.debug("a connection for messages is lost", e);
      end();
    }
  }

  /** Takes what there is to be written; returns false if there is nothing. */
  private boolean take() {
    lock.lock();
    try {
      if (isBeatDue) {
        isBeatDue = false;
        written.putInt(Wire.HEADER_LENGTH).put(Wire.BEAT).put((byte) 0).putShort((short) 0);
        written.putLong(beat);
        return true;
      }
      ByteBuffer empty = written;
      written = filled;
      filled = empty;
      return written.position() > 0;
    } finally {
      lock.unlock();
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
