package org.nelumbo.dm.replication.verbs;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.replication.intent.FlushIntents;
import org.nelumbo.dm.replication.view.CurrentView;

/**
 * Sharing of the pool with other compute nodes that write to it, too. Then flushes take another
 * path (see {@code SharedFlush}), through a gate that is closed while the view is changed. It
 * begins once, and does not end. Thread-safe.
 *
 * <pre>
 *   alone  --fix-->  fixed: the view stays as it is
 *   fixed  --release, if a memory node fails-->  alone
 *   fixed  --begin-->  shared: flushes that begin go the other way, and still lock stripes
 *   shared --together-->  no flush goes the other way any more
 * </pre>
 */
public final class Sharing {
  private static final int ALONE = 0;
  private static final int FIXED = 1;
  private static final int SHARED = 2;
  private static final int TOGETHER = 3;

  private final AtomicInteger state = new AtomicInteger();
  private final ViewGate flushGate;
  private final ViewGate appendGate;
  private volatile FlushIntents intents;
  private volatile long tenant;

  public Sharing(Environment environment, CurrentView currentView) {
    this.flushGate = new ViewGate(environment, currentView);
    this.appendGate = new ViewGate(environment, currentView);
  }

  /** Returns the gate for flushes. */
  public ViewGate flushGate() {
    return flushGate;
  }

  /** Returns the gate for what is appended to the logs of memory nodes. */
  public ViewGate appendGate() {
    return appendGate;
  }

  /** Returns all gates. */
  public List<ViewGate> gates() {
    return List.of(flushGate, appendGate);
  }

  /** Returns the number of this compute node among those that share the pool; 0 if it is alone. */
  public long tenant() {
    return tenant;
  }

  /** Sets its number, before it enters the table of intents. */
  public void setTenant(long number) {
    tenant = number;
  }

  /**
   * Whether others may write. Who has locked stripes asks once more: whoever begins to share waits
   * for those who have not heard of it.
   */
  public boolean isShared() {
    return state.get() >= SHARED;
  }

  /** Whether all flushes go the way that they can go beside those of others, with intents. */
  public boolean isTogether() {
    return state.get() == TOGETHER;
  }

  /** Whether the view changes no more, or only together with those who share the pool. */
  public boolean isViewFixed() {
    return state.get() != ALONE;
  }

  /** What this compute node notes its intents in; null: it has no room for them yet. */
  public FlushIntents intents() {
    return intents;
  }

  /** The view stays as it is from now on; before others may write. */
  public void fixView() {
    state.compareAndSet(ALONE, FIXED);
  }

  /** The view may change again; false if others may write by now. */
  public boolean releaseView() {
    return state.compareAndSet(FIXED, ALONE);
  }

  /** Others may write from now on; false if the view may change. */
  public boolean begin() {
    return state.compareAndSet(FIXED, SHARED);
  }

  /** All flushes have heard of it. */
  public void beginTogether() {
    state.set(TOGETHER);
  }

  /** Intents can be noted from now on. */
  public void noteIn(FlushIntents records) {
    intents = records;
  }
}
