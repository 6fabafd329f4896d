package org.nelumbo.dm.fabric.rdma;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.nelumbo.dm.pool.PoolOpenException;

/**
 * One side of a reliable connection, with a queue of completions of its own. Posting and polling
 * are for one thread at a time; so is the rest.
 */
public final class QueuePair implements SendQueue {
  /** In {@code ibv_qp}. */
  static final int NUMBER_OFFSET = 52;

  private static final int SEQUENCE_MASK = 0xFFFFFF;

  /** A READ, a WRITE or an atomic of the other side on memory that it has the key of. */
  private static final int ACCESS_SERVING = 2 | 4 | 8;

  private final VerbsLibrary library;
  private final RdmaDevice device;
  private final int requests;
  private final int inlineBytes;
  private final int sequence;
  private final long completions;
  private final long queuePair;
  private final MemorySegment postFunction;
  private final MemorySegment pollFunction;
  private final Arena arena = Arena.ofAuto();
  private final long refused = arena.allocate(Long.BYTES, Long.BYTES).address();
  private boolean closed;

  QueuePair(
      VerbsLibrary library,
      RdmaDevice device,
      int requests,
      int inlineBytes,
      boolean isServing,
      int sequence) {
    this.library = library;
    this.device = device;
    this.requests = requests;
    this.sequence = sequence & SEQUENCE_MASK;
    this.postFunction = device.function(VerbsLibrary.POST_OFFSET);
    this.pollFunction = device.function(VerbsLibrary.POLL_OFFSET);
    this.completions = library.createCompletions(device.context(), requests + 1);
    long made = 0;
    try (Arena scratch = Arena.ofConfined()) {
      long settings = scratch.allocate(QueuePairSettings.LENGTH, Long.BYTES).address();
      QueuePairSettings.set(settings, completions, requests, inlineBytes);
      made = library.createQueuePair(device.domain(), settings);
      this.queuePair = made;
      this.inlineBytes = QueuePairSettings.inlineBytes(settings);
      long attributes = scratch.allocate(QueuePairAttributes.LENGTH, Long.BYTES).address();
      int mask =
          QueuePairAttributes.initialise(attributes, device.port(), isServing ? ACCESS_SERVING : 0);
      change("be initialised", attributes, mask);
    } catch (RuntimeException | Error e) {
      if (made != 0) {
        library.destroyQueuePair(made);
      }
      library.destroyCompletions(completions);
      throw e;
    }
  }

  /** What the other side has to know of it. */
  public Endpoint endpoint() {
    return device.endpoint(number(), sequence);
  }

  /** Number of it at its device. */
  public int number() {
    return NativeMemory.getInt(queuePair + NUMBER_OFFSET);
  }

  /**
   * Connects it with another one. Both sides do that, before anything is posted.
   *
   * @throws PoolOpenException if the other side cannot be reached from this device
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
    int error = library.modifyQueuePair(queuePair, attributes, mask);
    if (error != 0) {
      throw new IllegalStateException("the queue pair cannot " + what + " error=" + error);
    }
  }

  @Override
  public int requests() {
    return requests;
  }

  @Override
  public int inlineBytes() {
    return inlineBytes;
  }

  @Override
  public int post(long first) {
    return VerbsLibrary.post(postFunction, queuePair, first, refused);
  }

  @Override
  public int poll(long completion) {
    return VerbsLibrary.poll(pollFunction, completions, completion);
  }

  /**
   * Takes it out of use, and frees it. Once this returns, no verb of the other side is done here:
   * what comes late is for a queue pair that is not there.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (Arena scratch = Arena.ofConfined()) {
      long attributes = scratch.allocate(QueuePairAttributes.LENGTH, Long.BYTES).address();
      library.modifyQueuePair(queuePair, attributes, QueuePairAttributes.error(attributes));
      library.destroyQueuePair(queuePair);
      library.destroyCompletions(completions);
    }
  }
}
