package org.nelumbo.dm.replication.view;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;

/**
 * The view in force, and the failures that channels report. The view changer alone changes it;
 * channels that met a failure wait here until a view without the failed node is in force.
 * Thread-safe.
 */
public final class CurrentView {
  /** Each of the other nodes may take five seconds to answer, one after the other. */
  private static final long EXCLUSION_NANOS = 120_000_000_000L;

  /**
   * The view changer may have forgotten a suspect when it failed: it is told again, now and then.
   */
  private static final int AGAIN_MASK = 0xFF;

  private static final String OVERDUE =
      "the pool is lost: a memory node has failed, and no view without it has come in force for two minutes";

  private static final String HALF_DONE =
      "the pool is lost: an error of this process has ended a flush in the middle; open the pool"
          + " again";

  private final Environment environment;
  private final AtomicReferenceArray<NodeConnection> suspects;
  private final AtomicReferenceArray<FabricException> causes;
  private final NodeHealth health;
  private final MissedWrites[] missed;
  private volatile View view;
  private volatile String lost;
  private volatile int lostNode;
  private volatile boolean suspicion;
  private volatile boolean diverged;
  private volatile Runnable wakeUp = () -> {};

  /**
   * Begins with a view.
   *
   * @param windowBytes of the maps of what nodes miss, a power of two
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
   * The view in force.
   *
   * @throws FabricException if the pool is lost
   */
  public View current() {
    if (lost != null) {
      throw lost();
    }
    return view;
  }

  /** The view in force, or the last one that was. */
  public View last() {
    return view;
  }

  /** What a node may miss. */
  public MissedWrites missed(int node) {
    return missed[node];
  }

  /** Failures and counts for people. */
  public NodeHealth health() {
    return health;
  }

  private FabricException lost() {
    return new FabricException(lostNode, lost, null);
  }

  /** Why the pool is lost, null if it is not. */
  public String whyLost() {
    return lost;
  }

  public boolean isLost() {
    return lost != null;
  }

  /**
   * A flush ended, by an error of this process, in a way that may leave the copies different: the
   * pool is lost. Allocates nothing.
   */
  public void loseByError() {
    diverged = true;
    lose(0, HALF_DONE);
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

  /** Marks the pool as lost: all flushes fail from now on. The first cause stays. */
  public void lose(int node, String why) {
    if (lost == null) {
      lostNode = node;
      lost = why;
    }
  }

  /** Marks the pool as lost to somebody else, whom a memory node serves. */
  public void loseTo(int node, String name, String owner) {
    lose(
        node,
        "the pool is lost: memory node "
            + name
            + " serves "
            + owner
            + " now, who has taken the pool over while this process could not be heard of");
    wakeViewChanger();
  }

  /** Sets what wakes the view changer. */
  public void setWakeUp(Runnable wakesViewChanger) {
    wakeUp = wakesViewChanger;
  }

  public void wakeViewChanger() {
    wakeUp.run();
  }

  /** A verb to a node has failed on that connection. */
  public void suspect(int node, NodeConnection connection, FabricException why) {
    if (view.connection(node) == connection) {
      causes.set(node, why);
      suspects.set(node, connection);
      suspicion = true;
      wakeViewChanger();
    }
  }

  /** Why a node is suspected, the last time. */
  public FabricException cause(int node) {
    return causes.get(node);
  }

  public boolean hasSuspects() {
    return suspicion;
  }

  /** Whether flushes may be held up by a node that does not answer, or by a change of the view. */
  public boolean isHeldUp() {
    View now = view;
    boolean isHeldUp = suspicion;
    for (int node = 0; !isHeldUp && node < suspects.length(); node++) {
      NodeConnection connection = now.connection(node);
      isHeldUp = connection != null && connection.isLate();
    }
    return isHeldUp;
  }

  /** Those of some nodes that are suspected, a bit each; they are not forgotten. */
  public long suspects(long nodes) {
    long bits = 0;
    for (long left = suspicion ? nodes : 0; left != 0; left &= left - 1) {
      int node = Long.numberOfTrailingZeros(left);
      NodeConnection suspect = suspects.get(node);
      bits |= suspect != null && suspect == view.connection(node) ? 1L << node : 0;
    }
    return bits;
  }

  /** The suspects as bits, each of which has a part in the present view; they are forgotten. */
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
   * Waits until a node does not have that connection any more. The view changer sees to that, or
   * the pool is lost; if neither has happened after a time in which it must have, this loses it.
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
