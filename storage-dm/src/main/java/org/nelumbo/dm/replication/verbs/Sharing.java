package org.nelumbo.dm.replication.verbs;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.replication.intent.FlushIntents;
import org.nelumbo.dm.replication.view.CurrentView;

/**
 * State of sharing the pool with other compute nodes that also write to it. In a shared pool,
 * flushes follow another protocol (see {@code SharedFlush}) and pass a gate, which is closed while
 * the view changes. Sharing begins when no thread uses the pool, and does not end. Thread-safe.
 *
 * <pre>
 *  alone  --fix-->  fixed: the view does not change
 *  fixed  --release, if a memory node fails-->  alone
 *  fixed  --begin-->  entering: flushes use the shared protocol
 *  entering  --together-->  shared: this compute node has an entry, and takes part in changes
 * </pre>
 */
public final class Sharing {
  private static final int ALONE = 0;
  private static final int FIXED = 1;
  private static final int ENTERING = 2;
  private static final int SHARED = 3;

  private final AtomicInteger state = new AtomicInteger();
  private final ViewGate flushGate;
  private final ViewGate appendGate;
  private volatile FlushIntents intents;
  private volatile long tenant;
  private volatile boolean isComplete;

  public Sharing(Environment environment, CurrentView currentView) {
    this.flushGate = new ViewGate(environment, currentView);
    this.appendGate = new ViewGate(environment, currentView);
  }

  /** Returns the gate for flushes. */
  public ViewGate flushGate() {
    return flushGate;
  }

  /** Returns the gate for appends to the logs of memory nodes. */
  public ViewGate appendGate() {
    return appendGate;
  }

  /** Returns all gates. */
  public List<ViewGate> gates() {
    return List.of(flushGate, appendGate);
  }

  /**
   * Returns the tenant number of this compute node in a shared pool, or 0 while the pool is
   * exclusive.
   */
  public long tenant() {
    return tenant;
  }

  /** Sets the tenant number, before this compute node enters the intent table. */
  public void setTenant(long number) {
    tenant = number;
  }

  /** Returns true if other compute nodes may write: all flushes use the shared protocol. */
  public boolean isShared() {
    return state.get() >= ENTERING;
  }

  /** Returns true if this compute node takes part in what all compute nodes do together. */
  public boolean isTogether() {
    return state.get() == SHARED;
  }

  /**
   * Returns true if the view does not change, or changes only together with the other compute nodes
   * that share the pool.
   */
  public boolean isViewFixed() {
    return state.get() != ALONE;
  }

  /** Returns the intent records of this compute node, or null while it has none. */
  public FlushIntents intents() {
    return intents;
  }

  /** Fixes the view, before other compute nodes may write. */
  public void fixView() {
    state.compareAndSet(ALONE, FIXED);
  }

  /** Allows the view to change again; returns false if other compute nodes may already write. */
  public boolean releaseView() {
    return state.compareAndSet(FIXED, ALONE);
  }

  /** Allows other compute nodes to write; returns false if the view is not fixed. */
  public boolean begin() {
    return state.compareAndSet(FIXED, ENTERING);
  }

  /** Records that this compute node has an entry in the table of intents. */
  public void beginTogether() {
    state.set(SHARED);
  }

  /** Records that no other compute node has the pool, and no flush follows that may fail. */
  public void completeAlone() {
    isComplete = true;
  }

  /** Returns true if the copies are equal when this compute node has closed the pool. */
  public boolean isComplete() {
    return isComplete || !isShared();
  }

  /** Sets the intent records that flushes use from now on. */
  public void noteIn(FlushIntents records) {
    intents = records;
  }
}
