package org.nelumbo.dm.replication.log;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.nelumbo.dm.env.BackgroundThread;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolLog;
import org.nelumbo.dm.redo.LogCopy;
import org.nelumbo.dm.redo.RedoEntry;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.NodeBits;
import org.nelumbo.dm.replication.view.View;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of the memory nodes of a pool with copies. What is appended goes to all live nodes at
 * once, and has its place when all of them say so; one that does not is left out of the view first.
 * So each live node has every commit that anybody was told of, or has seen.
 *
 * <p>A node that comes back gets what it misses of the log of a live one before it is live itself
 * ({@link #join}). At the end of that nobody appends for a moment. Nor does anybody while a mark is
 * put into all logs, about once a second: so it can be told later what a node misses.
 *
 * <p>Thread-safe, but for what the thread calls that changes views.
 */
public final class ReplicatedLog implements PoolLog {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedLog.class);
  private static final byte[] NOTHING = {};
  private static final long PAUSE_NANOS = 20_000L;

  /** Pauses until appends that are under way are waited for no longer: 100 ms. */
  private static final int PAUSES_MAX = 5_000;

  private static final long BUSY_NANOS = 1_000_000L;

  /** So often no mark is taken before transactions of several frames are held back for it. */
  private static final int MISSED_MAX = 30;

  private static final String DIFFERS =
      "its log is another one than that of the first live node, in what a compute node did last"
          + " that has died";

  private final Environment environment;
  private final CurrentView currentView;

  /** Connections of nodes that get what is appended, and are not live yet. */
  private final AtomicReferenceArray<NodeConnection> joined;

  private final AtomicInteger appending = new AtomicInteger();

  /** Nobody appends: who has set it goes on when those have ended who did. */
  private final AtomicBoolean isHeld = new AtomicBoolean();

  /** Transactions that have a part in the logs, and no end; no mark is put between. */
  private final AtomicInteger unended = new AtomicInteger();

  /** A transaction of several frames waits before its first one. */
  private volatile boolean isHeldBack;

  /** Something was appended since the last mark. */
  private volatile boolean isUnmarked;

  private final long markNanos;
  private final boolean isNew;
  private final BackgroundThread marker;

  // What follows is for the thread that changes views.

  /** Null: none is under way. */
  private LogCopy copy;

  private int sourceNode;
  private NodeConnection source;
  private NodeConnection target;

  /**
   * The logs of a pool.
   *
   * @param markNanos time between two marks, while there are appends
   * @param isNew whether the pool is made just now, and all live nodes were given one log
   */
  public ReplicatedLog(
      Environment environment, CurrentView currentView, long markNanos, boolean isNew) {
    this.environment = environment;
    this.markNanos = markNanos;
    this.isNew = isNew;
    this.marker = new BackgroundThread(environment, "nelumbo-log-marks", this::mark);
    this.currentView = currentView;
    this.joined = new AtomicReferenceArray<>(currentView.last().placement().nodes());
  }

  private boolean isTarget(View view, int node) {
    NodeConnection connection = view.connection(node);
    return view.isLive(node) || connection != null && joined.get(node) == connection;
  }

  private void enter() {
    for (int attempt = 0; ; attempt++) {
      if (!isHeld.get()) {
        appending.incrementAndGet();
        if (!isHeld.get()) {
          return;
        }
        leave();
      }
      environment.backoff(attempt);
    }
  }

  private void leave() {
    appending.decrementAndGet();
  }

  @Override
  public Appender newAppender() {
    return new ReplicatedAppender();
  }

  /** Appends at all nodes. */
  private final class ReplicatedAppender implements Appender {
    private final NodeConnection[] connections = new NodeConnection[joined.length()];
    private final Appender[] appenders = new Appender[joined.length()];
    private final FabricException[] failures = new FabricException[joined.length()];
    private View view;

    /** Nodes that have been sent what is appended, and those that have failed, a bit each. */
    private long sent;

    private long failed;

    /** What was sent last is a part of a transaction, and was counted as such. */
    private boolean isUnended;

    /** What is sent is the end of that. */
    private boolean isEnd;

    @Override
    public void send(long transaction, byte[] frame, int length, boolean isForced) {
      boolean isPart = length > 0 && RedoEntry.isPart(frame);
      if (isPart && !isUnended) {
        awaitTurn();
      }
      enter();
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
        sent = 0;
        failed = 0;
        for (int node = 0; node < appenders.length; node++) {
          if (isTarget(view, node)) {
            sendTo(node, transaction, frame, length, isForced);
          }
        }
        isSent = true;
      } finally {
        if (!isSent) {
          leave();
        }
      }
    }

    /** Waits until a mark was put into the logs, if that was not possible for long. */
    private void awaitTurn() {
      for (int attempt = 0; isHeldBack; attempt++) {
        currentView.current();
        environment.backoff(attempt);
      }
    }

    private void sendTo(int node, long transaction, byte[] frame, int length, boolean isForced) {
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

    /** Before this leaves: who gives the log to another node does not take it from this one. */
    private void fail(int node, FabricException why) {
      failures[node] = why;
      failed |= 1L << node;
      currentView.suspect(node, view.connection(node), why);
    }

    @Override
    public void await() {
      try {
        for (int node = 0; node < appenders.length; node++) {
          if (NodeBits.has(sent, node)) {
            awaitPlace(node);
          }
        }
      } finally {
        if (isEnd) {
          isUnended = false;
          isEnd = false;
          unended.decrementAndGet();
        }
        leave();
      }
      for (int node = 0; failed != 0 && node < appenders.length; node++) {
        if (NodeBits.has(failed, node)) {
          currentView.awaitExclusion(node, view.connection(node), failures[node]);
        }
      }
    }

    private void awaitPlace(int node) {
      try {
        appenders[node].await();
      } catch (FabricException e) {
        fail(node, e);
      }
    }
  }

  @Override
  public void force() {
    newAppender().append(0, NOTHING, 0, true);
  }

  /** Asks a node; one that does not answer is left out of the view. */
  private interface Question {
    void ask(int node, PoolLog log);
  }

  /** Asks all live nodes; false if one was left out meanwhile. */
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
   * What the first live node says, counts: nobody was told of a commit that not all of them have.
   * Those that say something else are left out, and filled anew.
   */
  @Override
  public long committed(long transaction) {
    long[] said = new long[joined.length()];
    View view;
    do {
      view = currentView.current();
    } while (!askAll(view, (node, log) -> said[node] = log.committed(transaction)));
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
      enter(); // else what is forgotten might be on its way to another node
      View view;
      FabricException why = null;
      int node = 0;
      try {
        view = currentView.current();
        for (; node < joined.length() && why == null; node++) {
          why = isTarget(view, node) ? tryToForget(view, node) : null;
        }
      } finally {
        leave();
      }
      isDone = why == null;
      if (!isDone) {
        currentView.awaitExclusion(node - 1, view.connection(node - 1), why);
      }
    }
  }

  /** Null if it has forgotten. */
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
      environment.parkNanos(PAUSE_NANOS); // there is a mark in the making, or a node is joined
    }
    try {
      View view = currentView.current();
      return isNew ? firstLog(view) : unify(view);
    } finally {
      isHeld.set(false);
    }
  }

  private static PoolLog firstLog(View view) {
    return view.connection(Long.numberOfTrailingZeros(view.liveNodes())).log();
  }

  /**
   * Gives the live nodes of a view the log of the first of them. Nobody appends meanwhile.
   *
   * @return that log
   * @throws FabricException if one of them does not answer, or refuses
   */
  public static PoolLog unify(View view) {
    PoolLog from = firstLog(view);
    int first = Long.numberOfTrailingZeros(view.liveNodes());
    for (int node = first + 1; node < view.placement().nodes(); node++) {
      if (view.isLive(node)) {
        try (LogCopy whole = new LogCopy(from, view.connection(node).log())) {
          whole.run();
        }
      }
    }
    return from;
  }

  /**
   * Goes on giving a node the log of a live one; returns whether it has it, and gets what is
   * appended. A node that fails meanwhile is suspected.
   */
  public boolean join(View view, int node) {
    if (isTarget(view, node)) {
      return true;
    }
    if (copy == null || target != view.connection(node) || view.connection(sourceNode) != source) {
      begin(view, node);
    }
    try {
      if (copy.step()) {
        return finish(node);
      }
      if (!copy.hasBegun()) {
        environment.parkNanos(BUSY_NANOS);
      }
    } catch (FabricException e) {
      int failed = e.node() == sourceNode ? sourceNode : node;
      currentView.suspect(failed, view.connection(failed), e);
      letGo();
    }
    return false;
  }

  /** No node is being given a log any more: the files of the live one are its own again. */
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
        currentView.suspect(sourceNode, source, e); // nothing if it has no part any more
      }
      copy = null;
    }
  }

  private boolean finish(int node) {
    if (!isHeld.compareAndSet(false, true)) {
      environment.parkNanos(PAUSE_NANOS);
      return false; // there is a mark in the making, or logs are made the same
    }
    try {
      if (!isQuiet()) {
        return false;
      }
      copy.finish();
      joined.set(node, target);
      isUnmarked = true;
    } finally {
      isHeld.set(false);
    }
    LOG.info(
        "memory node {} has the log of a live one: {}, {} bytes were copied",
        node,
        copy.isDifference() ? "what it missed was appended" : "it was given all of it",
        copy.copiedBytes());
    letGo();
    return true;
  }

  /** Whether whoever appends has come to an end, at all nodes, none of which is suspected. */
  private boolean isQuiet() {
    for (int pauses = 0; appending.get() != 0; pauses++) {
      if (pauses == PAUSES_MAX || currentView.hasSuspects() || currentView.isLost()) {
        return false;
      }
      environment.parkNanos(PAUSE_NANOS);
    }
    return !currentView.hasSuspects() && !currentView.isLost();
  }

  /** Begins to put marks into the logs. */
  public void start() {
    marker.start();
  }

  /** Ends that; {@link #close} waits for it, when the connections have ended. */
  public void stop() {
    marker.stop();
  }

  public void close() {
    marker.join();
  }

  private void mark() {
    int missed = 0;
    try {
      while (!marker.isStopped() && !currentView.isLost()) {
        environment.parkNanos(isHeldBack ? BUSY_NANOS : markNanos);
        if (isUnmarked && unended.get() > 0) {
          missed++;
        } else if (isUnmarked && tryToMark()) {
          missed = 0;
        }
        isHeldBack = missed >= MISSED_MAX;
      }
    } finally {
      isHeldBack = false;
    }
  }

  private boolean tryToMark() {
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

  /** Nobody appends: what each node has before this is the same. */
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
