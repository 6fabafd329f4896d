package org.nelumbo.dm.fabric.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.locks.ReentrantLock;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.peer.PeerId;
import org.nelumbo.dm.peer.PeerNetwork;
import org.nelumbo.dm.pool.PoolOpenException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection for messages, either to a memory node, which forwards them to other compute nodes,
 * or directly to a compute node. A thread connects, reads, and reconnects when the connection is
 * lost.
 *
 * <p><b>Writing.</b> A sender that finds no other thread writing writes all pending messages.
 * Writes do not block for long, because the bytes in transit are limited to what a socket buffers,
 * and the other side, which does not wait either, acknowledges what has arrived. Messages beyond
 * this window are lost. Thread-safe.
 */
final class MessageLink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MessageLink.class);

  /** Maximum of bytes in transit; the memory node reads everything that arrives. */
  static final int WINDOW_BYTES = 128 << 10;

  /** Bytes after which an acknowledgement is requested. */
  private static final int BEAT_BYTES = WINDOW_BYTES / 4;

  private static final int BEATS_BYTES = 32 * Wire.HEADER_LENGTH;

  private static final int SOCKET_BYTES = 4 * WINDOW_BYTES;

  /** Intervals without data after which a connection counts as lost. */
  private static final int SILENT_INTERVALS = 4;

  private static final long SHORTEST_PAUSE_NANOS = 10_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000L;

  private final Environment environment;
  private final Entrance entrance;
  private final Sink sink;
  private final int intervalMillis;
  private final BackgroundThread reader;

  /** Guards the fields below. */
  private final ReentrantLock lock = new ReentrantLock();

  private Handshake.Attached attached;

  private boolean isWriting;
  private long sentBytes;
  private long beatBytes;
  private long arrivedBytes;

  /** Received bytes, which each message to the other side acknowledges. */
  private long receivedBytes;

  private ByteBuffer filled = Wire.buffer(WINDOW_BYTES + BEATS_BYTES);

  /** Used by the writing thread. */
  private ByteBuffer written = Wire.buffer(WINDOW_BYTES + BEATS_BYTES);

  /** Used by the reading thread: received bytes, from its position to its limit. */
  private final ByteBuffer received = Wire.buffer(4 * PeerNetwork.MESSAGE_BYTES_MAX).limit(0);

  private PeerId lastPeer = new PeerId(0, 0);

  /** Opens the connection. */
  interface Entrance {
    /** Opens the connection and waits until it is open; returns null if the link is to end. */
    Handshake.Attached enter();
  }

  /** Consumer of received frames. */
  interface Sink {
    void received(PeerId from, ByteBuffer message);

    /** Called when another compute node offers a direct connection. */
    void offered(PeerId from, ByteBuffer offer);

    /** Called when the other compute node has no connection to this memory node. */
    void absent(PeerId peer);

    /** Called last; {@code isRevoked} is true if this compute node was fenced. */
    void ended(boolean isRevoked);
  }

  /**
   * Creates a link that {@link #start} opens.
   *
   * @param intervalNanos silence after which an acknowledgement is requested
   */
  MessageLink(
      Environment environment, String name, Entrance entrance, Sink sink, long intervalNanos) {
    this.environment = environment;
    this.entrance = entrance;
    this.sink = sink;
    this.intervalMillis = (int) Math.max(1, intervalNanos / 1_000_000);
    this.reader = new BackgroundThread(environment, name, this::readAll);
  }

  void start() {
    reader.start();
  }

  /** Sends a message; returns false if it is lost. */
  boolean send(PeerId to, ByteBuffer message) {
    return send(to, (short) 0, message);
  }

  /** Offers a direct connection; returns false if the offer is lost. */
  boolean offer(PeerId to, ByteBuffer offer) {
    return send(to, Wire.OFFER, offer);
  }

  private boolean send(PeerId to, short kind, ByteBuffer message) {
    int length = message.remaining();
    Handshake.Attached on;
    lock.lock();
    try {
      int frameLength = Wire.MESSAGE_OFFSET + Wire.padded(length);
      boolean hasRoom =
          sentBytes + frameLength - arrivedBytes <= WINDOW_BYTES
              && filled.remaining() >= frameLength;
      if (attached == null || !hasRoom) {
        return false;
      }
      int at = filled.position();
      filled.putInt(frameLength).put(Wire.SEND).put((byte) 0).putShort(kind);
      filled.putLong(receivedBytes);
      filled.putInt(to.node()).putInt(length).putLong(to.incarnation());
      filled.put(at + Wire.MESSAGE_OFFSET, message, message.position(), length);
      filled.position(at + frameLength);
      sentBytes += frameLength;
      if (sentBytes - beatBytes >= BEAT_BYTES) {
        putBeat();
      }
      if (isWriting) {
        return true;
      }
      isWriting = true;
      on = attached;
    } finally {
      lock.unlock();
    }
    write(on);
    return true;
  }

  private void putBeat() {
    if (putBeat(Wire.QUESTION, sentBytes + Wire.HEADER_LENGTH)) {
      beatBytes = sentBytes;
    }
  }

  private boolean putBeat(short kind, long sequence) {
    assert lock.isHeldByCurrentThread();
    boolean hasRoom = filled.remaining() >= Wire.HEADER_LENGTH;
    if (hasRoom) {
      filled.putInt(Wire.HEADER_LENGTH).put(Wire.BEAT).put((byte) 0).putShort(kind);
      filled.putLong(sequence);
      sentBytes += Wire.HEADER_LENGTH;
    }
    return hasRoom;
  }

  private void write(Handshake.Attached on) {
    try {
      OutputStream out = on.socket().getOutputStream();
      while (take()) {
        out.write(Wire.array(written), 0, written.position());
        written.clear();
      }
    } catch (IOException | RuntimeException | Error e) {
      LOG.debug("a message connection is lost", e);
      on.close();
      lock.lock();
      try {
        isWriting = false;
      } finally {
        lock.unlock();
      }
    }
  }

  /** A connection is replaced only while no thread writes to it. */
  private boolean take() {
    lock.lock();
    try {
      isWriting = attached != null && filled.position() > 0;
      if (isWriting) {
        ByteBuffer empty = written;
        written = filled;
        filled = empty;
      }
      return isWriting;
    } finally {
      lock.unlock();
    }
  }

  private void readAll() {
    sink.ended(readUntilRevoked());
  }

  /** Returns true if this compute node was fenced, false if the link was closed. */
  private boolean readUntilRevoked() {
    long pause = SHORTEST_PAUSE_NANOS;
    while (!reader.isStopped()) {
      try {
        Handshake.Attached on = entrance.enter();
        if (on == null) {
          return false;
        }
        try {
          connected(on);
          pause = SHORTEST_PAUSE_NANOS;
          read(on);
        } finally {
          disconnected(on);
        }
      } catch (RevokedException e) {
        LOG.debug("no more messages are received: {}", e.getMessage());
        return true;
      } catch (IOException | PoolOpenException e) {
        LOG.debug("reopening the message connection: {}", e.toString());
      }
      if (!reader.isStopped()) {
        environment.parkNanos(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      }
    }
    return false;
  }

  private void connected(Handshake.Attached on) throws IOException {
    on.wire().setSoTimeout(intervalMillis);
    on.wire().setSendBufferSize(SOCKET_BYTES);
    received.clear().limit(0);
    lock.lock();
    try {
      filled.clear();
      sentBytes = 0;
      beatBytes = 0;
      arrivedBytes = 0;
      receivedBytes = 0;
      attached = on;
    } finally {
      lock.unlock();
    }
    if (reader.isStopped()) {
      throw new EOFException("it is closed");
    }
  }

  /** The wait is short because the connection is closed. */
  private void disconnected(Handshake.Attached on) {
    on.close();
    for (int attempt = 0; !detach(); attempt++) {
      environment.backoff(attempt);
    }
  }

  private boolean detach() {
    lock.lock();
    try {
      attached = null;
      if (!isWriting) {
        written.clear();
      }
      return !isWriting;
    } finally {
      lock.unlock();
    }
  }

  private void read(Handshake.Attached on) throws IOException {
    Socket socket = on.socket();
    InputStream in = socket.getInputStream();
    SpinThenBlock spinThenBlock = new SpinThenBlock(environment, on.wire().getInputStream(), in);
    while (true) {
      received.compact();
      spinThenBlock.await();
      int count = read(in);
      if (count < 0) {
        throw new EOFException("the other side closed the connection");
      }
      countReceived(count);
      received.position(received.position() + count).flip();
      while (received.remaining() >= Wire.HEADER_LENGTH) {
        int start = received.position();
        int length = received.getInt(start);
        if (length < Wire.HEADER_LENGTH || length > received.capacity()) {
          throw new IOException("received a frame of a wrong length length=" + length);
        }
        if (received.remaining() < length) {
          break;
        }
        accept(start, length);
        received.position(start + length);
      }
    }
  }

  private void countReceived(int bytes) {
    lock.lock();
    try {
      receivedBytes += bytes;
    } finally {
      lock.unlock();
    }
  }

  /** Requests an acknowledgement during silence. */
  private int read(InputStream in) throws IOException {
    for (int intervals = 1; ; intervals++) {
      try {
        return in.read(Wire.array(received), received.position(), received.remaining());
      } catch (SocketTimeoutException e) {
        if (intervals >= SILENT_INTERVALS) {
          throw e;
        }
        beat();
      }
    }
  }

  private void beat() {
    lock.lock();
    try {
      boolean isDue = arrivedBytes == sentBytes || sentBytes - beatBytes > 0;
      if (attached == null || !isDue) {
        return;
      }
      putBeat();
    } finally {
      lock.unlock();
    }
    flush();
  }

  private void replyToBeat(long sequence) {
    lock.lock();
    try {
      if (attached == null) {
        return;
      }
      putBeat((short) 0, sequence);
    } finally {
      lock.unlock();
    }
    flush();
  }

  private void flush() {
    Handshake.Attached on;
    lock.lock();
    try {
      if (attached == null || isWriting) {
        return;
      }
      isWriting = true;
      on = attached;
    } finally {
      lock.unlock();
    }
    write(on);
  }

  private void accept(int start, int length) throws IOException {
    switch (received.get(start + Wire.TYPE_OFFSET)) {
      case Wire.DELIVER -> deliver(start, length);
      case Wire.SEND -> {
        arrived(received.getLong(start + Wire.SEQUENCE_OFFSET));
        deliver(start, length);
      }
      case Wire.ABSENT -> {
        message(start, length);
        sink.absent(peer(start));
      }
      case Wire.BEAT -> {
        long sequence = received.getLong(start + Wire.SEQUENCE_OFFSET);
        if (received.getShort(start + Wire.COUNT_OFFSET) == Wire.QUESTION) {
          replyToBeat(sequence);
        } else {
          arrived(sequence);
        }
      }
      default -> throw new IOException("received a frame of an unknown type");
    }
  }

  private void deliver(int start, int length) throws IOException {
    int bytes = message(start, length);
    ByteBuffer message =
        received.slice(start + Wire.MESSAGE_OFFSET, bytes).order(ByteOrder.BIG_ENDIAN);
    if (received.getShort(start + Wire.COUNT_OFFSET) == Wire.OFFER) {
      sink.offered(peer(start), message);
    } else {
      sink.received(peer(start), message);
    }
  }

  private int message(int start, int length) throws IOException {
    int bytes =
        length < Wire.MESSAGE_OFFSET ? -1 : received.getInt(start + Wire.MESSAGE_LENGTH_OFFSET);
    if (bytes < 0 || Wire.MESSAGE_OFFSET + Wire.padded(bytes) != length) {
      throw new IOException("received a message of a wrong length length=" + bytes);
    }
    return bytes;
  }

  private PeerId peer(int start) {
    int node = received.getInt(start + Wire.PEER_NODE_OFFSET);
    long incarnation = received.getLong(start + Wire.PEER_INCARNATION_OFFSET);
    if (lastPeer.node() != node || lastPeer.incarnation() != incarnation) {
      lastPeer = new PeerId(node, incarnation);
    }
    return lastPeer;
  }

  private void arrived(long bytes) {
    lock.lock();
    try {
      arrivedBytes = Math.max(arrivedBytes, Math.min(bytes, sentBytes));
    } finally {
      lock.unlock();
    }
  }

  /** Returns true if there is a connection that has not been found lost. */
  boolean isConnected() {
    lock.lock();
    try {
      return attached != null;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the local address of the connection; null if there is none. */
  InetAddress localAddress() {
    lock.lock();
    try {
      return attached == null ? null : attached.wire().getLocalAddress();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the connection without reconnecting. */
  void end() {
    reader.stop();
    lock.lock();
    try {
      if (attached != null) {
        attached.close();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns when the sink gets no more calls. */
  @Override
  public void close() {
    end();
    reader.join();
  }
}
