package org.nelumbo.dm.fabric.rdma;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.function.BooleanSupplier;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.OutsidePoolException;
import org.nelumbo.dm.pool.PoolAddress;

/**
 * A channel that encodes its verbs as work requests, one list for each node, and posts the lists at
 * the flush. The devices execute them; the processors of memory nodes are not involved. The
 * flushing thread polls for the completions, and yields to other threads if that takes long.
 *
 * <p>A node whose queue pair has failed stays failed for this channel. The queue pair is destroyed
 * before the failure is reported, so no late response is written into the staging buffer.
 */
public final class RdmaChannel extends Channel {
  /**
   * Maximum of data of one verb. Devices accept more, but not all of them accept the longest verb.
   */
  private static final int DATA_LENGTH_MAX = 1 << 20;

  /** Polls for a completion before the thread yields to others: less than a microsecond. */
  private static final int SPINS = 32;

  private final Environment environment;
  private final Lane[] lanes;
  private final MemoryRegion region;
  private final Failures failures;
  private final BooleanSupplier isCut;
  private final Runnable onClose;
  private boolean started;
  private boolean closed;

  /** Creates the exception for a node whose queue pair has failed. */
  public interface Failures {
    /** Returns the exception; {@code why} is the end of a sentence. */
    FabricException of(int node, String why);
  }

  /** A connected queue pair and the remote memory of its verbs. */
  public record Connection(QueuePair queuePair, RemoteMemory memory) {}

  private static final class Lane {
    private final SendQueue queue;
    private final RequestBatch batch;
    private final long bytes;
    private FabricException failure;
    private boolean isPosted;

    Lane(SendQueue queue, RemoteMemory memory, long stagingBase, int stagingKey) {
      this.queue = queue;
      this.batch = new RequestBatch(queue, memory, stagingBase, stagingKey);
      this.bytes = memory.bytes();
    }
  }

  /**
   * Creates a channel over connected queue pairs.
   *
   * @param connections connection to each node; the channel closes them
   * @param region registered staging buffer; the channel closes it
   * @param isCut returns true once the fabric is cut off from its nodes
   * @param onClose runs once when the channel is closed
   */
  public RdmaChannel(
      Environment environment,
      Connection[] connections,
      MemorySegment staging,
      MemoryRegion region,
      Failures failures,
      BooleanSupplier isCut,
      Runnable onClose) {
    this(
        environment,
        queues(connections),
        memories(connections),
        staging,
        region,
        failures,
        isCut,
        onClose);
  }

  /**
   * Creates a channel over arbitrary queues.
   *
   * @param region registered staging buffer; null if it needs no registration
   */
  public RdmaChannel(
      Environment environment,
      SendQueue[] queues,
      RemoteMemory[] memories,
      MemorySegment staging,
      MemoryRegion region,
      Failures failures,
      BooleanSupplier isCut,
      Runnable onClose) {
    super(staging);
    this.environment = environment;
    this.region = region;
    this.failures = failures;
    this.isCut = isCut;
    this.onClose = onClose;
    this.lanes = new Lane[queues.length];
    int key = region == null ? 0 : region.localKey();
    for (int node = 0; node < lanes.length; node++) {
      lanes[node] = new Lane(queues[node], memories[node], staging.address(), key);
    }
  }

  private static SendQueue[] queues(Connection[] connections) {
    SendQueue[] queues = new SendQueue[connections.length];
    for (int node = 0; node < queues.length; node++) {
      queues[node] = connections[node].queuePair();
    }
    return queues;
  }

  private static RemoteMemory[] memories(Connection[] connections) {
    RemoteMemory[] memories = new RemoteMemory[connections.length];
    for (int node = 0; node < memories.length; node++) {
      memories[node] = connections[node].memory();
    }
    return memories;
  }

  private RequestBatch batch(long address, int length) {
    long node = address >>> PoolAddress.OFFSET_BITS;
    if (closed
        || node >= lanes.length
        || length < 0
        || PoolAddress.offset(address) + length > lanes[(int) node].bytes) {
      throw outside(address, length);
    }
    Lane lane = lanes[(int) node];
    if (lane.batch.isFull()) {
      sendAlone((int) node);
    }
    return lane.batch;
  }

  private RuntimeException outside(long address, int length) {
    if (closed) {
      return new IllegalStateException("the channel is closed");
    }
    return new OutsidePoolException(address, length, lanes.length);
  }

  @Override
  public void read(long address, int stagingOffset, int length) {
    if (length > DATA_LENGTH_MAX) {
      read(address, stagingOffset, DATA_LENGTH_MAX);
      read(address + DATA_LENGTH_MAX, stagingOffset + DATA_LENGTH_MAX, length - DATA_LENGTH_MAX);
      return;
    }
    RequestBatch batch = batch(address, length);
    checkStaging(stagingOffset, length);
    if (length > 0) {
      batch.read(PoolAddress.offset(address), stagingOffset, length);
    }
  }

  @Override
  public void write(long address, int stagingOffset, int length) {
    if (length > DATA_LENGTH_MAX) {
      write(address, stagingOffset, DATA_LENGTH_MAX);
      write(address + DATA_LENGTH_MAX, stagingOffset + DATA_LENGTH_MAX, length - DATA_LENGTH_MAX);
      return;
    }
    RequestBatch batch = batch(address, length);
    checkStaging(stagingOffset, length);
    if (length > 0) {
      batch.write(PoolAddress.offset(address), stagingOffset, length);
    }
  }

  @Override
  public void writeLong(long address, long value) {
    checkAligned(address);
    batch(address, Long.BYTES).writeWord(PoolAddress.offset(address), value);
  }

  @Override
  public void compareAndSwap(long address, long expected, long replacement, int stagingOffset) {
    checkAligned(address);
    checkStaging(stagingOffset, Long.BYTES);
    batch(address, Long.BYTES)
        .compareAndSwap(PoolAddress.offset(address), expected, replacement, stagingOffset);
  }

  @Override
  public void fetchAndAdd(long address, long delta, int stagingOffset) {
    checkAligned(address);
    checkStaging(stagingOffset, Long.BYTES);
    batch(address, Long.BYTES).fetchAndAdd(PoolAddress.offset(address), delta, stagingOffset);
  }

  @Override
  public void start() {
    if (started) {
      return;
    }
    started = true;
    for (int node = 0; node < lanes.length; node++) {
      if (!lanes[node].batch.isEmpty()) {
        post(node);
      }
    }
  }

  @Override
  public void flush() {
    FabricException why = null;
    try {
      start();
      for (int node = 0; node < lanes.length; node++) {
        if (!lanes[node].batch.isEmpty()) {
          FabricException failure = await(node);
          why = why == null ? failure : why;
        }
      }
    } finally {
      end();
    }
    Reference.reachabilityFence(this);
    if (why != null) {
      throw why;
    }
  }

  private void sendAlone(int node) {
    FabricException why = null;
    try {
      post(node);
      why = await(node);
    } finally {
      end(lanes[node]);
    }
    if (why != null) {
      throw why;
    }
  }

  private void post(int node) {
    Lane lane = lanes[node];
    if (lane.failure != null) {
      return;
    }
    if (isCut.getAsBoolean()) {
      fail(node, "the fabric is closed");
      return;
    }
    lane.isPosted = true;
    int error = lane.batch.post();
    if (error != 0) {
      fail(node, "the device takes no requests error=" + error);
    }
  }

  private FabricException await(int node) {
    Lane lane = lanes[node];
    if (lane.isPosted) {
      for (int looks = 0; !lane.batch.isDone(); looks++) {
        if (looks < SPINS) {
          Thread.onSpinWait();
        } else if (isCut.getAsBoolean()) {
          fail(node, "the fabric is closed");
          return lane.failure;
        } else {
          environment.stepAside();
        }
      }
      lane.isPosted = false;
      int status = lane.batch.status();
      if (status != Completion.DONE) {
        fail(
            node,
            Completion.text(status) + " status=" + status + " vendor=" + lane.batch.vendorStatus());
      }
    }
    return lane.failure;
  }

  private void fail(int node, String why) {
    Lane lane = lanes[node];
    lane.queue.close();
    lane.isPosted = false;
    lane.failure = failures.of(node, why);
  }

  /** If an error of the JVM has interrupted a flush, the queue pair is closed. */
  private void end() {
    started = false;
    for (Lane lane : lanes) {
      end(lane);
    }
  }

  private void end(Lane lane) {
    if (lane.isPosted) {
      lane.failure = new FabricException("an error of this process interrupted a flush", null);
      lane.queue.close();
      lane.isPosted = false;
    }
    lane.batch.clear();
  }

  /**
   * Discards pending verbs. If verbs are already posted, it waits for them first, so that their
   * responses are in the buffer before those of later verbs.
   */
  @Override
  public void discard() {
    if (started) {
      super.discard();
    }
    for (Lane lane : lanes) {
      lane.batch.clear();
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      for (Lane lane : lanes) {
        lane.queue.close();
      }
      if (region != null) {
        region.close();
      }
    } finally {
      onClose.run();
    }
  }
}
