package org.nelumbo.dm.fabric.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;

/**
 * A connection to a memory node, shared by channels.
 *
 * <p><b>Writing.</b> A request is queued. If no thread is writing, the submitting thread writes the
 * queued requests, its own and those that others add meanwhile, in one system call at a time until
 * the queue is empty. So batches of many coordinators merge when the connection is busy, and a lone
 * coordinator never waits.
 *
 * <p><b>Reading.</b> There is no reader thread: one of the waiting threads reads and completes all
 * requests whose responses arrive (in the order of the requests). When its own response is there,
 * it passes the reading to another waiting thread. A lone coordinator thus reads its response
 * itself, as in a bare ping-pong.
 *
 * <p><b>Failure.</b> Any error, including a response timeout and a full heap, closes the connection
 * for good and fails all its requests. Interrupting a waiting thread does not affect other threads:
 * the streams of a socket are not interruptible.
 *
 * <p><b>Silence.</b> The reading thread waits for bytes in short intervals, and counts the
 * intervals instead of the time: a period in which this process was stopped, or got no processor,
 * counts as one. The connection fails when the silent intervals in a row reach the limit of {@link
 * ReplyTimes}.
 */
final class NodeLink implements AutoCloseable {
  private static final int WRITE_LENGTH = 256 << 10;

  /** Backstop only: each waiting thread is unparked. */
  private static final long PARK_NANOS = 1_000_000_000L;

  /** Interval by which silence is counted. */
  static final int INTERVAL_MILLIS = 100;

  private static final long INTERVAL_NANOS = INTERVAL_MILLIS * 1_000_000L;

  private final Environment environment;
  private final ReplyTimes replyTimes;
  private final int node;
  private final String name;
  private final Socket wire;
  private final TrafficMeter meter;
  private final InputStream in;
  private final OutputStream out;
  private final SpinThenBlock spinThenBlock;

  /** Guards the queues and the failure. */
  private final ReentrantLock lock = new ReentrantLock();

  private final ArrayDeque<LinkRequest> queued = new ArrayDeque<>();
  private final ArrayDeque<LinkRequest> sent = new ArrayDeque<>();
  private boolean writing;
  private boolean reading;
  private Throwable failure;

  /** Used by the writing thread. */
  private final ByteBuffer gathered = Wire.buffer(WRITE_LENGTH);

  private long lastSent;

  /** Used by the reading thread: received bytes, from its position to its limit. */
  private final ByteBuffer received = Wire.buffer(2 * Wire.FRAME_LENGTH_MAX).limit(0);

  private long lastReceived;

  /** The request whose response is being read, which is in no queue; null if there is none. */
  private LinkRequest answered;

  private final BooleanSupplier revocation;

  /** Held during that query, so that it is sent once. */
  private final ReentrantLock asking = new ReentrantLock();

  private boolean isAsked;
  private boolean isRevoked;
  private volatile boolean isClosed;

  NodeLink(
      Environment environment,
      int node,
      String name,
      Handshake.Attached attached,
      TrafficMeter meter,
      ReplyTimes replyTimes,
      BooleanSupplier revocation)
      throws IOException {
    this.environment = environment;
    this.replyTimes = replyTimes;
    this.node = node;
    this.name = name;
    this.wire = attached.wire();
    wire.setSoTimeout(INTERVAL_MILLIS);
    this.meter = meter;
    this.revocation = revocation;
    this.in = attached.socket().getInputStream();
    this.out = attached.socket().getOutputStream();
    this.spinThenBlock = new SpinThenBlock(environment, wire.getInputStream(), in);
  }

  /** Sends a request; {@link #await} waits for its response. */
  void submit(LinkRequest request) {
    request.sentNanos = environment.nanoTime();
    lock.lock();
    try {
      if (failure != null) {
        throw failed(failure);
      }
      request.waiter = Thread.currentThread();
      queued.add(request);
      if (writing) {
        return;
      }
      writing = true;
    } finally {
      lock.unlock();
    }
    writeQueued();
  }

  private void writeQueued() {
    try {
      while (true) {
        ByteBuffer alone = gather();
        if (alone == null && gathered.position() == 0) {
          return;
        }
        gathered.flip();
        writeFully(gathered);
        gathered.clear();
        if (alone != null) {
          writeFully(alone);
        }
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  /**
   * Moves queued requests to the write buffer; returns a frame that is too large to be copied. If
   * there is neither, the thread stops writing.
   */
  private ByteBuffer gather() {
    lock.lock();
    try {
      for (LinkRequest next; (next = queued.peek()) != null; ) {
        ByteBuffer frame = next.frame(lastSent + 1);
        if (frame.remaining() > gathered.remaining() && gathered.position() > 0) {
          next.unframe();
          return null;
        }
        lastSent++;
        meter.countFrame();
        sent.add(next);
        queued.remove();
        if (frame.remaining() > gathered.remaining()) {
          return frame;
        }
        gathered.put(frame);
      }
      writing = gathered.position() > 0;
      return null;
    } finally {
      lock.unlock();
    }
  }

  private void writeFully(ByteBuffer bytes) throws IOException {
    if (bytes.hasRemaining()) {
      meter.countSent(bytes.remaining());
      out.write(Wire.array(bytes), bytes.position(), bytes.remaining());
    }
  }

  /**
   * Waits for the response to a request of this thread; then its results are in the staging buffer.
   */
  void await(LinkRequest request) {
    boolean interrupted = false;
    while (!request.done) {
      if (beginReading(request)) {
        readUntil(request);
      } else {
        environment.parkNanos(PARK_NANOS);
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (request.failure != null) {
      throw failed(request.failure);
    }
  }

  private boolean beginReading(LinkRequest request) {
    lock.lock();
    try {
      boolean mine = !reading && !request.done;
      reading |= mine;
      return mine || request.done;
    } finally {
      lock.unlock();
    }
  }

  private void readUntil(LinkRequest request) {
    if (request.done) {
      return;
    }
    try {
      while (!request.done) {
        receive();
      }
    } catch (Throwable e) {
      finishAnswered(e);
      fail(e);
    } finally {
      handOn();
    }
  }

  private void finishAnswered(Throwable why) {
    LinkRequest unfinished = answered;
    if (unfinished != null) {
      answered = null;
      finish(unfinished, why);
    }
  }

  /** Another waiting thread continues to read. */
  private void handOn() {
    LinkRequest next;
    lock.lock();
    try {
      reading = false;
      next = sent.isEmpty() ? queued.peek() : sent.peek();
    } finally {
      lock.unlock();
    }
    if (next != null) {
      LockSupport.unpark(next.waiter);
    }
  }

  private void receive() throws IOException {
    received.compact();
    spinThenBlock.await();
    int count = read();
    if (count < 0) {
      throw new EOFException("the memory node closed the connection");
    }
    meter.countReceived(count);
    received.position(received.position() + count).flip();
    while (received.remaining() >= Wire.HEADER_LENGTH) {
      int start = received.position();
      int length = received.getInt(start);
      if (length < Wire.HEADER_LENGTH || length > Wire.FRAME_LENGTH_MAX) {
        throw new IOException("received a frame of a wrong length length=" + length);
      }
      if (received.remaining() < length) {
        return;
      }
      complete(start, length);
      received.position(start + length);
    }
  }

  private int read() throws IOException {
    int intervals = 0;
    try {
      while (true) {
        try {
          return in.read(Wire.array(received), received.position(), received.remaining());
        } catch (SocketTimeoutException e) {
          if (intervals++ == 0) {
            replyTimes.addLate(1);
          }
          if (intervals * INTERVAL_NANOS >= replyTimes.silenceLimitNanos()) {
            throw silent(intervals, e);
          }
        }
      }
    } finally {
      if (intervals > 0) {
        replyTimes.addLate(-1);
      }
    }
  }

  private static SocketTimeoutException silent(int intervals, SocketTimeoutException why) {
    SocketTimeoutException silence =
        new SocketTimeoutException("no response for " + intervals * INTERVAL_MILLIS + " ms");
    silence.initCause(why);
    return silence;
  }

  private void complete(int start, int length) throws IOException {
    int type = received.get(start + Wire.TYPE_OFFSET);
    received.position(start + Wire.HEADER_LENGTH);
    if (type == Wire.REFUSED) {
      throw new IOException(Wire.getText(received));
    }
    long sequence = received.getLong(start + Wire.SEQUENCE_OFFSET);
    LinkRequest request;
    lock.lock();
    try {
      request = sent.poll();
    } finally {
      lock.unlock();
    }
    answered = request;
    if (request == null) {
      throw new IOException(
          "received a response without a request: " + header(type, sequence, length));
    }
    long expected = ++lastReceived;
    boolean isLength =
        request.resultBytes() == LinkRequest.ANY_NUMBER
            || length == Wire.HEADER_LENGTH + request.resultBytes();
    if (type != Wire.RESULTS || sequence != expected || !isLength) {
      throw new IOException(
          "received an unexpected response: "
              + header(type, sequence, length)
              + "; expected sequence="
              + expected
              + " result bytes="
              + (request.resultBytes() == LinkRequest.ANY_NUMBER ? "any" : request.resultBytes()));
    }
    replyTimes.add(request.sentNanos, environment.nanoTime());
    request.accept(received);
    answered = null;
    finish(request, null);
  }

  private static String header(int type, long sequence, int length) {
    return "type=" + type + " sequence=" + sequence + " length=" + length;
  }

  private static void finish(LinkRequest request, Throwable why) {
    Thread waiter = request.waiter;
    request.failure = why;
    request.done = true;
    if (waiter != Thread.currentThread()) {
      LockSupport.unpark(waiter);
    }
  }

  /** Fails all requests of this connection, including later ones. */
  void fail(Throwable why) {
    replyTimes.setFailed();
    lock.lock();
    try {
      if (failure == null) {
        failure = why;
      }
      finishAll(queued);
      finishAll(sent);
    } finally {
      lock.unlock();
    }
    closeSocket();
  }

  /** Does not allocate, because the heap may be full. */
  private void finishAll(ArrayDeque<LinkRequest> requests) {
    assert lock.isHeldByCurrentThread();
    for (LinkRequest request; (request = requests.poll()) != null; ) {
      finish(request, failure);
    }
  }

  private FabricException failed(Throwable why) {
    boolean revoked = isRevoked(why);
    return new FabricException(
        node,
        revoked
            ? "memory node "
                + name
                + " has revoked the access of this compute node: other compute nodes declared it"
                + " failed"
            : "the connection to memory node " + name + " is lost: " + reason(why),
        why,
        revoked);
  }

  /**
   * Queries whether this compute node was fenced: a node closes the connections of a fenced compute
   * node without a message, because it does not wait for it.
   */
  private boolean isRevoked(Throwable why) {
    if (isClosed || !(why instanceof IOException) || why instanceof SocketTimeoutException) {
      return false;
    }
    asking.lock();
    try {
      if (!isAsked) {
        isRevoked = revocation.getAsBoolean();
        isAsked = true;
      }
      return isRevoked;
    } finally {
      asking.unlock();
    }
  }

  private static String reason(Throwable why) {
    return why instanceof Error || why.getMessage() == null ? why.toString() : why.getMessage();
  }

  private void closeSocket() {
    try {
      wire.close();
    } catch (IOException e) {
      // the socket is discarded in any case
    }
  }

  @Override
  public void close() {
    isClosed = true;
    fail(new IOException("the fabric was closed"));
  }
}
