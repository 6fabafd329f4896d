package org.nelumbo.dm.fabric.tcp;

import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.OutsidePoolException;
import org.nelumbo.dm.pool.PoolAddress;
import org.nelumbo.dm.pool.WindowDigest;

/**
 * A channel that collects its verbs in a frame for each node, and sends the frames at the flush.
 * Verbs that do not fit into one frame (1 MiB) are sent in several, one after the other.
 */
final class TcpChannel extends Channel {
  private final NodeLink[] links;
  private final long[] nodeBytes;
  private final Runnable onClose;
  private final Request[] requests;
  private boolean closed;

  /** True if the requests of this flush are sent, up to the node whose connection failed. */
  private boolean started;

  private int failed = -1;
  private Throwable failure;

  /**
   * Creates a channel.
   *
   * @param links connection to each node
   * @param nodeBytes memory size of each node
   * @param onClose runs once when the channel is closed
   */
  TcpChannel(NodeLink[] links, long[] nodeBytes, MemorySegment staging, Runnable onClose) {
    super(staging);
    this.links = links;
    this.nodeBytes = nodeBytes;
    this.onClose = onClose;
    this.requests = new Request[links.length];
    for (int node = 0; node < links.length; node++) {
      requests[node] = new Request(staging());
    }
  }

  private Request request(long address, int length, int sent, int result) {
    long node = address >>> PoolAddress.OFFSET_BITS;
    long offset = PoolAddress.offset(address);
    if (closed || node >= links.length || length < 0 || offset + length > nodeBytes[(int) node]) {
      throw outside(address, length);
    }
    Request request = requests[(int) node];
    if (!request.hasRoom(sent, result)) {
      sendAlone((int) node);
    }
    return request;
  }

  private RuntimeException outside(long address, int length) {
    if (closed) {
      return new IllegalStateException("the channel is closed");
    }
    return new OutsidePoolException(address, length, links.length);
  }

  @Override
  public void read(long address, int stagingOffset, int length) {
    if (length > Wire.DATA_LENGTH_MAX) {
      read(address, stagingOffset, Wire.DATA_LENGTH_MAX);
      read(
          address + Wire.DATA_LENGTH_MAX,
          stagingOffset + Wire.DATA_LENGTH_MAX,
          length - Wire.DATA_LENGTH_MAX);
      return;
    }
    Request request = request(address, length, 0, length);
    checkStaging(stagingOffset, length);
    request.read(PoolAddress.offset(address), stagingOffset, length);
  }

  @Override
  public void write(long address, int stagingOffset, int length) {
    if (length > Wire.DATA_LENGTH_MAX) {
      write(address, stagingOffset, Wire.DATA_LENGTH_MAX);
      write(
          address + Wire.DATA_LENGTH_MAX,
          stagingOffset + Wire.DATA_LENGTH_MAX,
          length - Wire.DATA_LENGTH_MAX);
      return;
    }
    Request request = request(address, length, length, 0);
    checkStaging(stagingOffset, length);
    request.write(PoolAddress.offset(address), stagingOffset, length);
  }

  @Override
  public void writeLong(long address, long value) {
    checkAligned(address);
    request(address, Long.BYTES, Long.BYTES, 0).writeWord(PoolAddress.offset(address), value);
  }

  @Override
  public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
    checkAligned(address);
    checkStaging(stagingOffset, Long.BYTES);
    request(address, Long.BYTES, 2 * Long.BYTES, Long.BYTES)
        .compareAndSwap(PoolAddress.offset(address), expected, replacement, stagingOffset);
  }

  @Override
  public void fetchAndAdd(long address, long delta, int stagingOffset) {
    checkAligned(address);
    checkStaging(stagingOffset, Long.BYTES);
    request(address, Long.BYTES, Long.BYTES, Long.BYTES)
        .fetchAndAdd(PoolAddress.offset(address), delta, stagingOffset);
  }

  @Override
  public boolean canDigest() {
    return true;
  }

  @Override
  public void digest(long address, int length, long keyFirst, long keySecond, int stagingOffset) {
    Request request = request(address, length, 2 * Long.BYTES, WindowDigest.LENGTH);
    checkStaging(stagingOffset, WindowDigest.LENGTH);
    request.digest(PoolAddress.offset(address), length, keyFirst, keySecond, stagingOffset);
  }

  @Override
  public void start() {
    if (started) {
      return;
    }
    started = true;
    for (int node = 0; node < requests.length && failure == null; node++) {
      if (!requests[node].isEmpty()) {
        try {
          send(node);
        } catch (Throwable e) {
          failure = e;
          failed = node;
          cutAfterError(node, e);
        }
      }
    }
  }

  @Override
  public void flush() {
    start();
    Throwable why = failure;
    for (int node = 0; node < requests.length; node++) {
      if (!requests[node].isEmpty()) {
        why = await(node, node == failed || isUnsent(node, failed), why);
      }
    }
    started = false;
    failure = null;
    failed = -1;
    raise(why);
  }

  private static void raise(Throwable why) {
    if (why instanceof Error error) {
      throw error;
    }
    if (why != null) {
      throw (RuntimeException) why;
    }
  }

  /** The connection may still have the request, which is about to be reused. */
  private void cutAfterError(int node, Throwable why) {
    if (why instanceof Error) {
      links[node].fail(why);
    }
  }

  private static boolean isUnsent(int node, int failed) {
    return failed >= 0 && node > failed;
  }

  /** Each sent request must complete before its buffers are reused. */
  private Throwable await(int node, boolean unsent, Throwable before) {
    try {
      if (!unsent) {
        links[node].await(requests[node]);
      }
      return before;
    } catch (Throwable e) {
      cutAfterError(node, e);
      return before == null ? e : before;
    } finally {
      requests[node].begin();
    }
  }

  private void send(int node) {
    links[node].submit(requests[node]);
  }

  private void sendAlone(int node) {
    Throwable why = null;
    try {
      send(node);
    } catch (Throwable e) {
      cutAfterError(node, e);
      why = e;
    }
    raise(await(node, why != null, why));
  }

  /**
   * Discards pending verbs. If verbs are already sent, it waits for them first, so that their
   * responses are in the buffer before those of later verbs.
   */
  @Override
  public void discard() {
    if (started) {
      super.discard();
    }
    for (Request request : requests) {
      request.begin();
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      onClose.run();
    }
  }
}
