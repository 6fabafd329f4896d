package org.nelumbo.executor.engine;

import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.executor.txn.Transaction;

/**
 * A thread of control that runs one transaction at a time: it owns a channel, an allocator, an
 * epoch slot and a log region. One thread at a time may use it; different threads may, one after
 * the other.
 */
public final class Coordinator implements AutoCloseable {
  private static final int STAGING_BYTES = 1 << 20;

  private final Engine engine;
  private final Channel channel;
  private final PoolAllocator allocator;
  private final int slot;
  private final Transaction transaction;
  private boolean closed;

  /** Changes to the pool that have begun and not returned; one within another counts, too. */
  private int changes;

  /** A coordinator whose verbs go through {@code fabric}, which leads to the engine's. */
  Coordinator(Engine engine, Fabric fabric) {
    this.engine = engine;
    this.slot = engine.epochs().register();
    this.channel = fabric.openChannel(STAGING_BYTES);
    this.allocator = engine.newAllocator(channel);
    this.transaction = new Transaction(this);
  }

  public Engine engine() {
    return engine;
  }

  public Transaction transaction() {
    return transaction;
  }

  public Channel channel() {
    return channel;
  }

  /**
   * A copy of what this coordinator has asked of its fabric so far; null unless the fabric counts
   * (see {@link Engine#openMemory(EngineOptions, java.util.function.UnaryOperator)}) or the
   * coordinator does ({@link Engine#openCountingCoordinator}).
   */
  public FabricCounters counters() {
    FabricCounters counters = transaction.counters();
    return counters == null ? null : counters.snapshot();
  }

  public PoolAllocator allocator() {
    return allocator;
  }

  /**
   * A change to what is in the pool begins; {@link #endChange} follows when it has returned,
   * whatever its outcome, but not when an exception has ended it.
   */
  public void beginChange() {
    changes++;
  }

  public void endChange() {
    changes--;
  }

  /** No change is in progress here: one that has not returned has left something half done. */
  void checkChanges() {
    if (changes != 0) {
      changes = 0;
      engine.markUnclean();
    }
  }

  /** Slot in the engine's epochs; also this coordinator's id. */
  public int slot() {
    return slot;
  }

  /**
   * Closes the channel and nothing else: the pool's memory has failed. What the transaction holds
   * stays as it is, as does the slot, for whoever recovers the pool.
   */
  public void abandon() {
    if (!closed) {
      closed = true;
      engine.markUnclean();
      channel.close();
    }
  }

  /**
   * Aborts the active transaction, if any, and gives everything back. What it left to be collected
   * goes to the engine.
   *
   * @throws org.nelumbo.dm.pool.FabricException if the pool is lost: the channel is closed all the
   *     same; what the transaction holds stays as it is, and so does the slot, whose log decides
   *     about it when the pool is recovered
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      checkChanges();
      transaction.abort();
      checkChanges();
      beginChange();
      transaction.log().close();
      transaction.retireQueue().close();
      allocator.close();
      endChange();
      engine.coordinators().remove(this);
    } finally {
      channel.close();
    }
    engine.epochs().unregister(slot);
  }
}
