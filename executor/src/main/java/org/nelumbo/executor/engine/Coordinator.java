package org.nelumbo.executor.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.nelumbo.dm.alloc.PoolAllocator;
import org.nelumbo.dm.alloc.PoolUsage;
import org.nelumbo.dm.pool.Channel;
import org.nelumbo.dm.pool.Fabric;
import org.nelumbo.dm.pool.FabricCounters;
import org.nelumbo.executor.context.ChangeTracker;
import org.nelumbo.executor.context.CoordinatorContext;
import org.nelumbo.executor.context.CriticalSection;
import org.nelumbo.executor.gc.RetireQueue;
import org.nelumbo.executor.txn.Transaction;
import org.nelumbo.executor.txn.TransactionContext;
import org.nelumbo.executor.version.RowGuard;

/**
 * A thread of control that runs one transaction at a time. It owns a channel, an allocator, an
 * epoch slot and a log region. Used by one thread at a time; different threads may use it one after
 * another.
 */
public final class Coordinator implements AutoCloseable {
  private static final int STAGING_BYTES = 1 << 20;

  private final CoordinatorContext context;
  private final TransactionContext parts;
  private final Transaction transaction;
  private final Runnable markUnclean;
  private final Consumer<Coordinator> onClose;

  private final List<MemoryReserve> reserves = new CopyOnWriteArrayList<>();

  private boolean closed;

  /**
   * Opens a channel and takes a slot.
   *
   * @param fabric the engine's fabric, or a decorator of it
   * @param guards creates the guard of the rows; returns null for none
   * @param onClose runs after all resources are released
   */
  Coordinator(
      EngineParts engine,
      Fabric fabric,
      Function<CoordinatorContext, RowGuard> guards,
      Consumer<Coordinator> onClose) {
    this.markUnclean = engine::markUnclean;
    this.onClose = onClose;
    int slot = engine.context.epochs().register();
    Channel channel = null;
    try {
      channel = fabric.openChannel(STAGING_BYTES);
      channel = engine.timed(channel);
      this.context =
          new CoordinatorContext(
              engine.context,
              channel,
              engine.chunks.newAllocator(channel),
              slot,
              new ChangeTracker(markUnclean),
              new CriticalSection(engine.context.failStop()));
      this.parts =
          new TransactionContext(context, engine.logs, engine.orphans, guards.apply(context));
      this.transaction =
          new Transaction(
              parts, engine.options.conflictPolicy(), engine.options.lockTimeoutNanos());
    } catch (RuntimeException | Error e) {
      if (channel != null) {
        channel.close();
      }
      engine.context.epochs().unregister(slot);
      throw e;
    }
  }

  public Transaction transaction() {
    return transaction;
  }

  public Channel channel() {
    return context.channel();
  }

  /**
   * Returns a copy of the counters of this coordinator's fabric requests so far; null unless the
   * fabric counts (see {@link Engine#openMemory(EngineOptions, java.util.function.UnaryOperator)})
   * or the coordinator does ({@link Engine#openCountingCoordinator}).
   */
  public FabricCounters counters() {
    FabricCounters counters = transaction.counters();
    return counters == null ? null : counters.snapshot();
  }

  public PoolAllocator allocator() {
    return context.allocator();
  }

  void addReserve(MemoryReserve reserve) {
    reserves.add(reserve);
  }

  /** Adds the memory of the allocator to an account; exact while no thread uses the allocator. */
  void addTo(PoolUsage account) {
    allocator().addTo(account);
    reserves.forEach(each -> each.addTo(account));
  }

  /** Returns the objects that the parts of this coordinator work with. */
  CoordinatorContext context() {
    return context;
  }

  /** Returns the queue of garbage that its transactions leave. */
  public RetireQueue retireQueue() {
    return parts.retireQueue();
  }

  /** Returns the slot in the engine's epochs, which is also this coordinator's id. */
  public int slot() {
    return context.slot();
  }

  /**
   * Closes only the channel, because the pool's memory has failed. Locks and writes of the
   * transaction remain, and so does the slot, until the pool is recovered.
   */
  public void abandon() {
    if (!closed) {
      closed = true;
      markUnclean.run();
      context.channel().close();
    }
  }

  /**
   * Aborts the active transaction, if any, and releases all resources. Garbage goes to the engine.
   * If the engine has stopped, only the channel is closed. If a resource cannot be released, the
   * engine stops.
   *
   * @throws org.nelumbo.dm.pool.FabricException if the pool is lost. The channel is closed in any
   *     case; locks and writes of the transaction remain, and so does the slot, whose log decides
   *     about them when the pool is recovered
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    context.critical().check();
    if (context.failStop().isStopped()) {
      abandon();
      return;
    }
    closed = true;
    try {
      ChangeTracker changes = context.changes();
      changes.check();
      transaction.abort();
      changes.check();
      changes.begin();
      parts.log().close();
      parts.retireQueue().close();
      context.allocator().close();
      changes.end();
      onClose.accept(this);
      context.epochs().unregister(context.slot());
    } catch (RuntimeException | Error e) {
      throw context.failStop().stop(e);
    } finally {
      context.channel().close();
    }
  }
}
