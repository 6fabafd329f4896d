package org.nelumbo.dm.fabric.rdma;

import java.lang.foreign.Arena;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * One side of a reliable connection, with its own completion queue. Used by one thread at a time.
 */
public final class QueuePair implements SendQueue {
  /** Offset in {@code ibv_qp}. */
  public static final int NUMBER_OFFSET = 52;

  private static final int SEQUENCE_MASK = 0xFFFFFF;

  /** Rights of the other side to READ, WRITE and use atomics on memory whose key it has. */
  private static final int ACCESS_SERVING = 2 | 4 | 8;

  private final VerbsLibrary library;
  private final RdmaDevice device;
  private final NativeQueue queue;
  private final int sequence;
  private boolean closed;

  /** Takes ownership of the queue, and closes it if initialization fails. */
  QueuePair(
      VerbsLibrary library, RdmaDevice device, NativeQueue queue, boolean isServing, int sequence) {
    this.library = library;
    this.device = device;
    this.queue = queue;
    this.sequence = sequence & SEQUENCE_MASK;
    try (Arena scratch = Arena.ofConfined()) {
      long attributes = scratch.allocate(QueuePairAttributes.LENGTH, Long.BYTES).address();
      int mask =
          QueuePairAttributes.initialise(attributes, device.port(), isServing ? ACCESS_SERVING : 0);
      change("be initialised", attributes, mask);
    } catch (RuntimeException | Error e) {
      queue.close();
      throw e;
    }
  }

  /** Returns the values that the other side needs to connect. */
  public Endpoint endpoint() {
    return device.endpoint(number(), sequence);
  }

  /** Returns the number of the queue pair at its device. */
  public int number() {
    return NativeMemory.getInt(queue.queuePair() + NUMBER_OFFSET);
  }

  /**
   * Connects this queue pair to a remote one. Both sides connect before they post requests.
   *
   * @throws PoolOpenException if this device cannot reach the other side
   */
  public void connect(Endpoint remote) {
    try (Arena scratch = Arena.ofConfined()) {
      long attributes = scratch.allocate(QueuePairAttributes.LENGTH, Long.BYTES).address();
      Endpoint own = endpoint();
      int mtu = Math.min(device.mtu(), remote.mtu());
      change(
          "be connected",
          attributes,
          QueuePairAttributes.receive(
              attributes, device.port(), device.gidIndex(), mtu, own.outstanding(), remote));
      int outstanding = Math.min(device.outstanding(), remote.outstanding());
      change(
          "be connected", attributes, QueuePairAttributes.send(attributes, sequence, outstanding));
    } catch (IllegalStateException e) {
      throw new PoolOpenException(
          "RDMA device "
              + device.describe()
              + " does not reach the device of the other side: "
              + e.getMessage()
              + "; both need GIDs of one kind (RoCE version 2) and a network between them: name"
              + " the right ones, as DEVICE:GID",
          e);
    }
  }

  private void change(String what, long attributes, int mask) {
    int error = library.modifyQueuePair(queue.queuePair(), attributes, mask);
    if (error != 0) {
      throw new IllegalStateException("the queue pair cannot " + what + " error=" + error);
    }
  }

  @Override
  public int requests() {
    return queue.requests();
  }

  @Override
  public int inlineBytes() {
    return queue.inlineBytes();
  }

  @Override
  public int post(long first) {
    return queue.post(first);
  }

  @Override
  public int poll(long completion) {
    return queue.poll(completion);
  }

  /**
   * Moves the queue pair to the error state and destroys it. After this returns, no verb of the
   * other side takes effect here, because late packets find no queue pair.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (Arena scratch = Arena.ofConfined()) {
      long attributes = scratch.allocate(QueuePairAttributes.LENGTH, Long.BYTES).address();
      library.modifyQueuePair(queue.queuePair(), attributes, QueuePairAttributes.error(attributes));
      queue.close();
    }
  }
}
