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
 * Connection for messages: to one memory node, which passes them on to other compute nodes, or to
 * one of these. A thread connects, reads, and connects again when the connection is lost.
 *
 * <p><b>Writing.</b> Whoever finds nobody writing writes what there is. Nobody waits long for that:
 * so much as a socket takes may be on its way, and the other side, which waits for nobody either,
 * says how much has arrived. What goes beyond is lost. Thread-safe.
 */
final class MessageLink implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MessageLink.class);

  /** Bytes that may be on their way; the memory node reads all that comes. */
  static final int WINDOW_BYTES = 128 << 10;

  /** Bytes after which the other side is asked whether they have arrived. */
  private static final int BEAT_BYTES = WINDOW_BYTES / 4;

  /** Room for those questions. */
  private static final int BEATS_BYTES = 32 * Wire.HEADER_LENGTH;

  private static final int SOCKET_BYTES = 4 * WINDOW_BYTES;

  /** Intervals without a sign of life after which a connection counts as lost. */
  private static final int SILENT_INTERVALS = 4;

  private static final long SHORTEST_PAUSE_NANOS = 10_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000L;

  private final Environment environment;
  private final Entrance entrance;
  private final Sink sink;
  private final int intervalMillis;
  private final BackgroundThread reader;

  /** Guards all below. */
  private final ReentrantLock lock = new ReentrantLock();

  /** Null: there is no connection. */
  private Handshake.Attached attached;

  private boolean isWriting;
  private long sentBytes;
  private long beatBytes;
  private long arrivedBytes;

  /** Bytes that have come: the memory node is told so with each message. */
  private long receivedBytes;

  private ByteBuffer filled = Wire.buffer(WINDOW_BYTES + BEATS_BYTES);

  /** Used by whoever writes. */
  private ByteBuffer written = Wire.buffer(WINDOW_BYTES + BEATS_BYTES);

  /** Used by the thread that reads: what has come, from its position to its limit. */
  private final ByteBuffer received = Wire.buffer(4 * PeerNetwork.MESSAGE_BYTES_MAX).limit(0);

  /** What the last message was from. */
  private PeerId lastPeer = new PeerId(0, 0);

  /** How the connection is opened. */
  interface Entrance {
    /** Opens it, and waits for that; null if it is not to be opened any more. */
    Handshake.Attached enter();
  }

  /** What is told of what comes. */
  interface Sink {
    void received(PeerId from, ByteBuffer message);

    /** Another compute node says how it is reached. */
    void offered(PeerId from, ByteBuffer offer);

    /** The other compute node has no connection to this memory node. */
    void absent(PeerId peer);

    /** Nothing is told any more; the compute node was fenced if {@code isRevoked}. */
    void ended(boolean isRevoked);
  }

  /**
   * A link that is opened by {@link #start}.
   *
   * @param intervalNanos after which the memory node is asked for a sign of life
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

  /** Offers a connection; returns false if that is lost. */
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

  /** Writes until there is no more, or the connection is lost. */
  private void write(Handshake.Attached on) {
    try {
      OutputStream out = on.socket().getOutputStream();
      while (take()) {
        out.write(Wire.array(written), 0, written.position());
        written.clear();
      }
    } catch (IOException | RuntimeException | Error e) {
      LOG.debug("a connection for messages is lost", e);
      on.close();
      lock.lock();
      try {
        isWriting = false;
      } finally {
        lock.unlock();
      }
    }
  }

  /** Takes what is to be written next: a connection is replaced when nobody writes to it. */
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

  /** Returns whether this compute node was fenced: else it is closed. */
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
        LOG.debug("no more messages come: {}", e.getMessage());
        return true;
      } catch (IOException | PoolOpenException e) {
        LOG.debug("the connection for messages is opened again: {}", e.toString());
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

  /** Returns when nobody writes to the connection: it is closed, so nobody does for long. */
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
          throw new IOException("a frame of a wrong length came length=" + length);
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

  /** Reads some bytes; asks for a sign of life while nothing comes. */
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

  private void answerBeat(long sequence) {
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

  /** Writes what there is, unless somebody does. */
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
          answerBeat(sequence);
        } else {
          arrived(sequence);
        }
      }
      default -> throw new IOException("a frame of an unknown type came");
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

  /** Length of the message in a frame. */
  private int message(int start, int length) throws IOException {
    int bytes =
        length < Wire.MESSAGE_OFFSET ? -1 : received.getInt(start + Wire.MESSAGE_LENGTH_OFFSET);
    if (bytes < 0 || Wire.MESSAGE_OFFSET + Wire.padded(bytes) != length) {
      throw new IOException("a message of a wrong length came length=" + bytes);
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

  /** Whether there is a connection, as far as is known. */
  boolean isConnected() {
    lock.lock();
    try {
      return attached != null;
    } finally {
      lock.unlock();
    }
  }

  /** This compute node's address on the connection; null if there is none. */
  InetAddress localAddress() {
    lock.lock();
    try {
      return attached == null ? null : attached.wire().getLocalAddress();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the connection; no other one follows. */
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

  /** Returns when nothing is told any more. */
  @Override
  public void close() {
    end();
    reader.join();
  }
}
