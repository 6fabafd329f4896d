package org.nelumbo.dm.replication.view;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;

/**
 * The view in force, together with the node failures that channels report. Only the view changer
 * installs views. A channel that meets a failure waits here until a view without the failed node is
 * in force. Thread-safe.
 */
public final class CurrentView {
  /**
   * Time after which a waiting flush declares the pool lost. A view change may wait five seconds
   * for each of the other nodes, one after the other.
   */
  private static final long EXCLUSION_NANOS = 120_000_000_000L;

  /**
   * Mask of the attempts between two reports of one suspect. Reports are repeated because the view
   * changer may lose one when it fails.
   */
  private static final int AGAIN_MASK = 0xFF;

  private static final String OVERDUE =
      "the pool is lost: a memory node has failed, and no view without it has been"
          + " installed for two minutes";

  private static final Loss HALF_DONE =
      new Loss(
          0,
          "the pool is lost: an error of this process interrupted a flush; open the pool"
              + " again");

  private record Loss(int node, String why) {}

  private final Environment environment;
  private final AtomicReferenceArray<NodeConnection> suspects;
  private final AtomicReferenceArray<FabricException> causes;
  private final NodeHealth health;
  private final MissedWrites[] missed;
  private volatile View view;
  private final AtomicReference<Loss> loss = new AtomicReference<>();
  private volatile boolean suspicion;
  private volatile boolean diverged;
  private volatile Runnable wakeUp = () -> {};

  /**
   * Creates the state with an initial view.
   *
   * @param windowBytes window size of the {@link MissedWrites} maps, a power of two
   */
  public CurrentView(Environment environment, View first, int windowBytes) {
    this.environment = environment;
    this.view = first;
    this.missed = new MissedWrites[first.placement().nodes()];
    for (int node = 0; node < missed.length; node++) {
      missed[node] =
          new MissedWrites(first.placement().slots(), first.placement().slotBytes(), windowBytes);
    }
    this.suspects = new AtomicReferenceArray<>(first.placement().nodes());
    this.causes = new AtomicReferenceArray<>(first.placement().nodes());
    this.health = new NodeHealth(first.placement());
  }

  /**
   * Returns the view in force.
   *
   * @throws FabricException if the pool is lost
   */
  public View current() {
    if (isLost()) {
      throw lost();
    }
    return view;
  }

  /** Returns the view in force, or the last one that was in force if the pool is lost. */
  public View last() {
    return view;
  }

  /** Returns the map of windows in which a node may miss writes. */
  public MissedWrites missed(int node) {
    return missed[node];
  }

  /** Returns failures and counters for diagnostics. */
  public NodeHealth health() {
    return health;
  }

  private FabricException lost() {
    Loss cause = loss.get();
    return new FabricException(cause.node(), cause.why(), null);
  }

  /** Returns the reason why the pool is lost, or null if it is not lost. */
  public String whyLost() {
    Loss cause = loss.get();
    return cause == null ? null : cause.why();
  }

  public boolean isLost() {
    return loss.get() != null;
  }

  /**
   * Marks the pool as lost because an error of this process has ended a flush in a way that may
   * leave the copies different. Allocates nothing.
   */
  public void loseByError() {
    diverged = true;
    loss.compareAndSet(null, HALF_DONE);
    wakeViewChanger();
  }

  public boolean isDiverged() {
    return diverged;
  }

  /** Puts a view in force. */
  public void install(View next) {
    assert next.number() > view.number()
            || (next.number() == view.number() && next.liveNodes() == view.liveNodes())
        : "number=" + next.number() + " before=" + view.number();
    view = next;
  }

  /** Marks the pool as lost: all flushes fail from now on. The first cause is kept. */
  public void lose(int node, String why) {
    loss.compareAndSet(null, new Loss(node, why));
  }

  /** Marks the pool as lost to another owner, which a memory node now serves. */
  public void loseTo(int node, String name, String owner) {
    lose(
        node,
        "the pool is lost: memory node "
            + name
            + " now serves "
            + owner
            + ", which has attached the pool while this process could not be reached");
    wakeViewChanger();
  }

  /** Sets the action that wakes the view changer. */
  public void setWakeUp(Runnable wakesViewChanger) {
    wakeUp = wakesViewChanger;
  }

  public void wakeViewChanger() {
    wakeUp.run();
  }

  /**
   * Reports that a verb to a node has failed on a connection. Ignored if the view in force does not
   * use that connection.
   */
  public void suspect(int node, NodeConnection connection, FabricException why) {
    if (view.connection(node) == connection) {
      causes.set(node, why);
      suspects.set(node, connection);
      suspicion = true;
      wakeViewChanger();
    }
  }

  /** Returns the most recent reason for suspecting a node. */
  public FabricException cause(int node) {
    return causes.get(node);
  }

  public boolean hasSuspects() {
    return suspicion;
  }

  /** Returns true if flushes may be held up by an unresponsive node or by a view change. */
  public boolean isHeldUp() {
    View now = view;
    boolean isHeldUp = suspicion;
    for (int node = 0; !isHeldUp && node < suspects.length(); node++) {
      NodeConnection connection = now.connection(node);
      isHeldUp = connection != null && connection.isLate();
    }
    return isHeldUp;
  }

  /**
   * Returns the subset of {@code nodes} that is suspected, one bit per node. The suspicions are
   * kept.
   */
  public long suspects(long nodes) {
    long bits = 0;
    for (long left = suspicion ? nodes : 0; left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      NodeConnection suspect = suspects.get(node);
      bits |= suspect != null && suspect == view.connection(node) ? 1L << node : 0;
    }
    return bits;
  }

  /** Returns and clears all suspects that are part of the view in force, one bit per node. */
  public long drainSuspects() {
    suspicion = false;
    long bits = 0;
    for (int node = 0; node < suspects.length(); node++) {
      NodeConnection suspect = suspects.getAndSet(node, null);
      bits |= suspect != null && suspect == view.connection(node) ? 1L << node : 0;
    }
    return bits;
  }

  /**
   * Waits until the view in force no longer uses a connection of a node. Either the view changer
   * excludes the node, or the pool is lost; after a timeout this method itself marks the pool as
   * lost.
   *
   * @throws FabricException if the pool is lost
   */
  public void awaitExclusion(int node, NodeConnection connection, FabricException why) {
    suspect(node, connection, why);
    long since = environment.nanoTime();
    for (int attempt = 0; current().connection(node) == connection; attempt++) {
      if (environment.nanoTime() - since > EXCLUSION_NANOS) {
        lose(node, OVERDUE);
      }
      if ((attempt & AGAIN_MASK) == AGAIN_MASK) {
        suspect(node, connection, why);
      }
      environment.backoff(attempt);
    }
  }
}
