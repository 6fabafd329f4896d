package org.nelumbo.dm.replication.log;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.RedoEntry;
import org.nelumbo.dm.redo.node.LogComparison;
import org.nelumbo.dm.redo.node.LogCopy;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.verbs.ViewGate;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.FillEpoch;
import org.nelumbo.dm.replication.view.NodeBits;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of the memory nodes of a pool with copies. An append goes to all live nodes at once and
 * is complete when all of them have confirmed it. A node that does not confirm is excluded from the
 * view first. So each live node has every commit that was acknowledged to a client or seen by a
 * reader.
 *
 * <p>A node that returns receives the part of a live node's log that it misses before it becomes
 * live ({@link #join}). At the end of the copy, appends are blocked for a moment. Appends are also
 * blocked while a checkpoint is written to all logs, about once a second. Checkpoints later
 * determine which part of the log a node misses.
 *
 * <p>If several compute nodes share the pool, each append passes a {@link ViewGate}, so that all
 * compute nodes append in the same view. After the failure of a memory node, an append is repeated
 * at the memory nodes that do not have it, once all compute nodes have reached the view without the
 * failed one. Appends of all compute nodes are blocked by an epoch that all of them enter ({@link
 * FillEpoch}).
 *
 * <p>Thread-safe, except for the methods that the view-change thread calls.
 */
public final class ReplicatedLog implements PoolLog {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedLog.class);
  private static final byte[] NOTHING = {};
  private static final long PAUSE_NANOS = 20_000L;

  /** Number of pauses to wait for appends in progress: 100 ms. */
  private static final int PAUSES_MAX = 5_000;

  private static final long BUSY_NANOS = 1_000_000L;

  /**
   * Number of consecutive attempts without a checkpoint after which transactions of several frames
   * are held back.
   */
  private static final int MISSED_MAX = 30;

  private static final String DIFFERS =
      "its log differs from that of the first live node in the last operations of a failed"
          + " compute node";

  private final Environment environment;
  private final CurrentView currentView;
  private final Sharing sharing;

  private final ViewGate gate;

  /** Connections to nodes that receive appends and are not live yet. */
  private final AtomicReferenceArray<NodeConnection> joined;

  private final AtomicInteger appending = new AtomicInteger();

  /**
   * Blocks appends in an exclusive pool. The thread that sets it waits for the appends in progress.
   */
  private final AtomicBoolean isHeld = new AtomicBoolean();

  /**
   * Number of transactions that have a part in the logs and no end. No checkpoint is written
   * between these.
   */
  private final AtomicInteger unended = new AtomicInteger();

  /** True while transactions of several frames have to wait before their first one. */
  private volatile boolean isHeldBack;

  /** True if something was appended since the last checkpoint. */
  private volatile boolean isUnmarked;

  private final long checkpointNanos;
  private final boolean isNew;
  private final BackgroundThread marker;

  // Confined to the view-change thread.

  /** Number of consecutive attempts without a checkpoint or join in a shared pool. */
  private int missedTogether;

  private LogCopy copy;

  private int sourceNode;
  private NodeConnection source;
  private NodeConnection target;

  /**
   * Creates the logs of a pool.
   *
   * @param checkpointNanos time between two checkpoints while there are appends
   * @param isNew true if the pool is being created and all live nodes have received one log
   * @param sharing state of sharing the pool with other compute nodes that append
   */
  public ReplicatedLog(
      Environment environment,
      CurrentView currentView,
      long checkpointNanos,
      boolean isNew,
      Sharing sharing) {
    this.environment = environment;
    this.sharing = sharing;
    this.gate = sharing.appendGate();
    this.checkpointNanos = checkpointNanos;
    this.isNew = isNew;
    this.marker = new BackgroundThread(environment, "nelumbo-log-marks", this::mark);
    this.currentView = currentView;
    this.joined = new AtomicReferenceArray<>(currentView.last().placement().nodes());
  }

  private boolean isTarget(View view, int node) {
    NodeConnection connection = view.connection(node);
    return view.isLive(node) || connection != null && joined.get(node) == connection;
  }

  /** Returns the pass for {@link #leave}, or null in an exclusive pool. */
  private ViewGate.Pass enter() {
    if (sharing.isShared()) {
      return enterTogether();
    }
    for (int attempt = 0; ; attempt++) {
      if (!isHeld.get()) {
        appending.incrementAndGet();
        if (!isHeld.get()) {
          return null;
        }
        leave(null);
      }
      currentView.current();
      environment.backoff(attempt);
    }
  }

  private ViewGate.Pass enterTogether() {
    for (int attempt = 0; ; attempt++) {
      ViewGate.Pass pass = gate.enter();
      if (mayAppend(pass)) {
        return pass;
      }
      gate.leave(pass);
      currentView.current();
      environment.backoff(attempt);
    }
  }

  private boolean mayAppend(ViewGate.Pass pass) {
    return pass.step().appendsIn(currentView.last().number()) != FillEpoch.Appends.HELD;
  }

  private void leave(ViewGate.Pass pass) {
    if (pass == null) {
      appending.decrementAndGet();
    } else {
      gate.leave(pass);
    }
  }

  /**
   * Ends the checkpoints that this compute node writes by itself, because other compute nodes are
   * going to append; waits for the one in progress. Nothing is appended meanwhile.
   */
  public void share() {
    for (int attempt = 0; !isHeld.compareAndSet(false, true); attempt++) {
      currentView.current();
      environment.backoff(attempt);
    }
  }

  @Override
  public Appender newAppender() {
    return new ReplicatedAppender();
  }

  private final class ReplicatedAppender implements Appender {
    private final NodeConnection[] connections = new NodeConnection[joined.length()];
    private final Appender[] appenders = new Appender[joined.length()];
    private final FabricException[] failures = new FabricException[joined.length()];
    private View view;

    private ViewGate.Pass pass;

    /** Nodes that were sent the append, that have it, and that failed, one bit per node. */
    private long sent;

    private long has;
    private long failed;

    private long transaction;

    private byte[] frame;
    private int length;
    private boolean isForced;

    /** True if a part of a transaction was appended, and counted as unended. */
    private boolean isUnended;

    private boolean isEnd;

    @Override
    public void send(long ofTransaction, byte[] bytes, int count, boolean isToBeForced) {
      transaction = ofTransaction;
      frame = bytes;
      length = count;
      isForced = isToBeForced;
      boolean isPart = length > 0 && RedoEntry.isPart(frame);
      if (isPart && !isUnended) {
        awaitTurn();
      }
      pass = enter();
      boolean isSent = false;
      try {
        isEnd = isUnended && length > 0 && !isPart;
        if (isPart && !isUnended) {
          isUnended = true;
          unended.incrementAndGet();
        }
        view = currentView.current();
        if (!isUnmarked) {
          isUnmarked = true;
        }
        has = 0;
        sendAll();
        isSent = true;
      } finally {
        if (!isSent) {
          leave(pass);
        }
      }
    }

    private void awaitTurn() {
      for (int attempt = 0; isHeldBack; attempt++) {
        currentView.current();
        environment.backoff(attempt);
      }
    }

    private void sendAll() {
      sent = 0;
      failed = 0;
      for (int node = 0; node < appenders.length; node++) {
        if (isToHave(node) && !NodeBits.has(has, node)) {
          sendTo(node);
        }
      }
    }

    private boolean isToHave(int node) {
      return pass == null ? isTarget(view, node) : view.isLive(node) || isJoined(node);
    }

    private boolean isJoined(int node) {
      FillEpoch step = pass.step();
      return step.node() == node
          && step.appendsIn(view.number()) == FillEpoch.Appends.JOINED
          && view.connection(node) != null;
    }

    private void sendTo(int node) {
      NodeConnection connection = view.connection(node);
      try {
        if (connections[node] != connection) {
          appenders[node] = connection.log().newAppender();
          connections[node] = connection;
        }
        appenders[node].send(transaction, frame, length, isForced);
        sent |= 1L << node;
      } catch (FabricException e) {
        fail(node, e);
      }
    }

    /**
     * Called before this append leaves the gate, so that the log of the failed node is not copied
     * to another node.
     */
    private void fail(int node, FabricException why) {
      failures[node] = why;
      failed |= 1L << node;
      currentView.suspect(node, view.connection(node), why);
    }

    @Override
    public void await() {
      try {
        awaitPlaces();
        while (isToBeRepeated()) {
          view = gate.awaitNext(view, this::report);
          sendAll();
          awaitPlaces();
        }
      } finally {
        if (isEnd) {
          isUnended = false;
          isEnd = false;
          unended.decrementAndGet();
        }
        leave(pass);
      }
      for (int node = 0; failed != 0 && node < appenders.length; node++) {
        if (NodeBits.has(failed, node)) {
          currentView.awaitExclusion(node, view.connection(node), failures[node]);
        }
      }
    }

    /**
     * Returns true if the append has to be repeated in the next view. It is not finished until
     * then, so that the log of the failed node is not copied to another one.
     */
    private boolean isToBeRepeated() {
      return pass != null && failed != 0;
    }

    private void awaitPlaces() {
      for (int node = 0; node < appenders.length; node++) {
        if (NodeBits.has(sent, node)) {
          awaitPlace(node);
        }
      }
    }

    private void awaitPlace(int node) {
      try {
        appenders[node].await();
        has |= 1L << node;
      } catch (FabricException e) {
        fail(node, e);
      }
    }

    private void report() {
      for (long left = failed; left != 0; left &= left - 1) {
        int node = Long.numberOfTrailingZeros(left);
        currentView.suspect(node, view.connection(node), failures[node]);
      }
    }
  }

  @Override
  public void force() {
    newAppender().append(0, NOTHING, 0, true);
  }

  /** A request to the log of a node. A node that does not respond is excluded from the view. */
  private interface Question {
    void ask(int node, PoolLog log);
  }

  private boolean askAll(View view, Question question) {
    for (int node = 0; node < joined.length(); node++) {
      if (isTarget(view, node)) {
        try {
          question.ask(node, view.connection(node).log());
        } catch (FabricException e) {
          currentView.awaitExclusion(node, view.connection(node), e);
          return false;
        }
      }
    }
    return true;
  }

  /**
   * The reply of the first live node counts, since no commit was acknowledged that is missing on a
   * live node. Nodes with another reply are excluded, and filled anew.
   */
  @Override
  public long committed(long transaction) {
    long[] said = new long[joined.length()];
    View view;
    do {
      view = currentView.current();
    } while (!askAll(view, (node, log) -> said[node] = log.committed(transaction))
        || currentView.current() != view);
    int first = Long.numberOfTrailingZeros(view.liveNodes());
    for (int node = 0; node < said.length; node++) {
      if (isTarget(view, node) && said[node] != said[first]) {
        FabricException why = new FabricException(node, DIFFERS, null);
        currentView.awaitExclusion(node, view.connection(node), why);
      }
    }
    return said[first];
  }

  @Override
  public void forgetCommitted() {
    boolean isDone = false;
    while (!isDone) {
      ViewGate.Pass pass =
          enter(); // otherwise forgotten commits might be in flight to another node
      View view;
      FabricException why = null;
      int node = 0;
      try {
        view = currentView.current();
        for (; node < joined.length() && why == null; node++) {
          why = isTarget(view, node) ? tryToForget(view, node) : null;
        }
      } finally {
        leave(pass);
      }
      isDone = why == null;
      if (!isDone) {
        currentView.awaitExclusion(node - 1, view.connection(node - 1), why);
      }
    }
  }

  private FabricException tryToForget(View view, int node) {
    try {
      view.connection(node).log().forgetCommitted();
      return null;
    } catch (FabricException e) {
      currentView.suspect(node, view.connection(node), e);
      return e;
    }
  }

  @Override
  public int lastStore() {
    int[] last = new int[1];
    while (!askAll(
        currentView.current(), (node, log) -> last[0] = Math.max(last[0], log.lastStore()))) {
      // without that node
    }
    return last[0];
  }

  @Override
  public byte[] ask(byte[] question) {
    return firstLog(currentView.current()).ask(question);
  }

  @Override
  public PoolLog unify() {
    while (!isHeld.compareAndSet(false, true)) {
      environment.parkNanos(PAUSE_NANOS); // a checkpoint is being written, or a node is joining
    }
    try {
      View view = currentView.current();
      if (!isNew) {
        unify(view);
        markAll(view); // a log that was replaced has no checkpoint that shows it to be the latest
      }
      return firstLog(view);
    } finally {
      isHeld.set(false);
    }
  }

  private static PoolLog firstLog(View view) {
    return view.connection(Long.numberOfTrailingZeros(view.liveNodes())).log();
  }

  /**
   * Copies the log of the first live node of a view to the other live nodes. The caller prevents
   * appends meanwhile.
   *
   * @throws FabricException if a node does not respond, or refuses
   */
  public static void unify(View view) {
    PoolLog from = firstLog(view);
    int first = Long.numberOfTrailingZeros(view.liveNodes());
    for (int node = first + 1; node < view.placement().nodes(); node++) {
      if (view.isLive(node)) {
        try (LogCopy whole = new LogCopy(from, view.connection(node).log())) {
          whole.run();
        }
      }
    }
  }

  /**
   * Continues to copy the log of a live node to another node; returns true if that node has it and
   * receives appends. A node that fails meanwhile is suspected. For an exclusive pool.
   */
  public boolean join(View view, int node) {
    return isTarget(view, node)
        || (copy(view, node) && isDone(view, node, () -> finishAlone(node)));
  }

  /**
   * Continues to copy the log of a live node to another node; returns true if the rest is so small
   * that appends should be blocked. A node that fails meanwhile is suspected.
   */
  public boolean copy(View view, int node) {
    if (copy == null || target != view.connection(node) || view.connection(sourceNode) != source) {
      begin(view, node);
    }
    return isDone(
        view,
        node,
        () -> {
          boolean isNearlyDone = copy.step();
          if (!copy.hasBegun()) {
            environment.parkNanos(BUSY_NANOS);
          }
          return isNearlyDone;
        });
  }

  /**
   * Copies the rest of the log to a node; returns true if it is complete. Meanwhile appends are
   * blocked, and no transaction has a part in the logs and no end. A node that fails is suspected.
   */
  public boolean finishCopy(View view, int node) {
    return isDone(
        view,
        node,
        () -> {
          finish(node);
          return true;
        });
  }

  private boolean isDone(View view, int node, BooleanSupplier work) {
    try {
      return work.getAsBoolean();
    } catch (FabricException e) {
      int failed = e.node() == sourceNode ? sourceNode : node;
      currentView.suspect(failed, view.connection(failed), e);
      letGo();
      return false;
    }
  }

  /** Ends the copy in progress, if any. The live node may then reuse its log files. */
  public void endJoin() {
    letGo();
  }

  private void begin(View view, int node) {
    letGo();
    sourceNode = Long.numberOfTrailingZeros(view.liveNodes());
    source = view.connection(sourceNode);
    target = view.connection(node);
    copy = new LogCopy(source.log(), target.log());
  }

  private void letGo() {
    if (copy != null) {
      try {
        copy.close();
      } catch (FabricException e) {
        currentView.suspect(
            sourceNode, source, e); // ignored if the view does not use the connection any more
      }
      copy = null;
    }
  }

  private boolean finishAlone(int node) {
    if (!isHeld.compareAndSet(false, true)) {
      environment.parkNanos(PAUSE_NANOS);
      return false; // a checkpoint is being written, or logs are being unified
    }
    try {
      if (!isQuiet() || unended.get() > 0) {
        return false; // the node would have the end of a transaction without its parts
      }
      finish(node);
      joined.set(node, target);
      isUnmarked = true;
    } finally {
      isHeld.set(false);
    }
    return true;
  }

  private void finish(int node) {
    copy.finish();
    LOG.info(
        "memory node {} has the log of a live one: {}, {} bytes were copied",
        node,
        copy.isDifference() ? "the missing part was appended" : "it was replaced",
        copy.copiedBytes());
    letGo();
  }

  /**
   * Waits until all appends in progress have ended at all nodes; returns false if a node is
   * suspected or the wait is too long.
   */
  private boolean isQuiet() {
    for (int pauses = 0; appending.get() != 0; pauses++) {
      if (pauses == PAUSES_MAX || currentView.hasSuspects() || currentView.isLost()) {
        return false;
      }
      environment.parkNanos(PAUSE_NANOS);
    }
    return !currentView.hasSuspects() && !currentView.isLost();
  }

  /** Starts to write checkpoints to the logs. */
  public void start() {
    marker.start();
  }

  /**
   * Stops writing checkpoints; {@link #close} waits for the thread, after the connections are
   * closed.
   */
  public void stop() {
    marker.stop();
  }

  public void close() {
    marker.join();
  }

  private void mark() {
    int missed = 0;
    try {
      while (!marker.isStopped() && !currentView.isLost() && !sharing.isShared()) {
        environment.parkNanos(isHeldBack ? BUSY_NANOS : checkpointNanos);
        if (isUnmarked && unended.get() > 0) {
          missed++;
        } else if (isUnmarked && tryToCheckpoint()) {
          missed = 0;
        }
        isHeldBack = missed >= MISSED_MAX;
      }
    } finally {
      isHeldBack = false;
    }
  }

  private boolean tryToCheckpoint() {
    if (currentView.hasSuspects() || !isHeld.compareAndSet(false, true)) {
      return false;
    }
    try {
      boolean isMarked = isQuiet() && unended.get() == 0;
      if (isMarked) {
        isUnmarked = false;
        markAll(currentView.last());
      }
      return isMarked;
    } finally {
      isHeld.set(false);
    }
  }

  /** Returns true if this compute node has appended something since the last checkpoint. */
  public boolean isUnmarked() {
    return isUnmarked;
  }

  /**
   * Returns true if transactions of this compute node have a part in the logs and no end. If this
   * has often prevented appends from being blocked, the next such transactions are held back.
   */
  public boolean isInParts() {
    boolean isInParts = unended.get() > 0;
    if (isInParts) {
      missedTogether++;
      isHeldBack = missedTogether >= MISSED_MAX;
    }
    return isInParts;
  }

  /**
   * Records that a checkpoint was written to the logs, or that a node has joined. This compute node
   * has appended nothing since.
   */
  public void noteMarked() {
    isUnmarked = false;
    missedTogether = 0;
    isHeldBack = false;
  }

  /**
   * Writes a checkpoint while appends of all compute nodes are blocked; returns false if the logs
   * differ, because a failed compute node has left an incomplete append.
   */
  public boolean checkpointTogether(View view) {
    List<PoolLog> logs = new ArrayList<>();
    for (int node = 0; node < joined.length(); node++) {
      if (view.isLive(node)) {
        logs.add(view.connection(node).log());
      }
    }
    boolean isSame = LogComparison.haveSameCommits(logs);
    if (isSame) {
      markAll(view);
    }
    return isSame;
  }

  /** The contents of the logs before the checkpoint are the same because appends are blocked. */
  private void markAll(View view) {
    byte[] mark = RedoEntry.mark(environment.randomLong());
    Appender[] appenders = new Appender[joined.length()];
    for (int node = 0; node < appenders.length; node++) {
      if (isTarget(view, node)) {
        try {
          appenders[node] = view.connection(node).log().newAppender();
          appenders[node].send(0, mark, mark.length, false);
        } catch (FabricException e) {
          appenders[node] = null;
          currentView.suspect(node, view.connection(node), e);
        }
      }
    }
    for (int node = 0; node < appenders.length; node++) {
      if (appenders[node] != null) {
        try {
          appenders[node].await();
        } catch (FabricException e) {
          currentView.suspect(node, view.connection(node), e);
        }
      }
    }
  }
}
