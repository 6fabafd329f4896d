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
import org.nelumbo.dm.replication.view.FillStep;
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
 * <p>If several compute nodes share the pool, they append in the same view: an append goes through
 * a {@link ViewGate}, and what a memory node that has failed does not have is appended to the
 * others again, once all have come to the view without it. That nobody appends for a moment is a
 * step then that all take together ({@link FillStep}).
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
  private final Sharing sharing;

  /** Through which appends go while the pool is shared. */
  private final ViewGate gate;

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

  /** So often no mark was taken, or no node joined, while the pool is shared. */
  private int missedTogether;

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
   * @param sharing whether other compute nodes append, too
   */
  public ReplicatedLog(
      Environment environment,
      CurrentView currentView,
      long markNanos,
      boolean isNew,
      Sharing sharing) {
    this.environment = environment;
    this.sharing = sharing;
    this.gate = sharing.appendGate();
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

  /** Returns what to {@link #leave} with; null if this compute node has the pool alone. */
  private ViewGate.Pass enter() {
    for (int attempt = 0; !sharing.isShared(); attempt++) {
      if (!isHeld.get()) {
        appending.incrementAndGet();
        if (!isHeld.get() && !sharing.isShared()) {
          return null;
        }
        leave(null);
      }
      environment.backoff(attempt);
    }
    return enterTogether();
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
    return pass.step().appendsIn(currentView.last().number()) != FillStep.Appends.HELD;
  }

  private void leave(ViewGate.Pass pass) {
    if (pass == null) {
      appending.decrementAndGet();
    } else {
      gate.leave(pass);
    }
  }

  /** Others append, too, from now on: nobody goes the way any more that one goes alone. */
  public void share() {
    for (int attempt = 0; !isHeld.compareAndSet(false, true); attempt++) {
      currentView.current();
      environment.backoff(attempt);
    }
    for (int attempt = 0; appending.get() != 0; attempt++) {
      currentView.current();
      environment.backoff(attempt);
    }
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

    /** Null: this compute node has the pool alone. */
    private ViewGate.Pass pass;

    /** Nodes that have been sent what is appended, that have it, and that failed, a bit each. */
    private long sent;

    private long has;
    private long failed;

    /** What is sent. */
    private long transaction;

    private byte[] frame;
    private int length;
    private boolean isForced;

    /** What is sent last is a part of a transaction, and was counted as such. */
    private boolean isUnended;

    /** What is sent is the end of that. */
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

    /** Waits until a mark was put into the logs, if that was not possible for long. */
    private void awaitTurn() {
      for (int attempt = 0; isHeldBack; attempt++) {
        currentView.current();
        environment.backoff(attempt);
      }
    }

    /** Sends it to all nodes that are to have it, and have it not. */
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

    /** Whether a node that is being filled has the log, and gets what is appended. */
    private boolean isJoined(int node) {
      FillStep step = pass.step();
      return step.node() == node
          && step.appendsIn(view.number()) == FillStep.Appends.JOINED
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

    /** Before this leaves: who gives the log to another node does not take it from this one. */
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
     * Whether it is to be sent again, in the next view. Until then it is not at an end: so nobody
     * gives the log of the node that has failed to another one.
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

    /** Tells of the memory nodes that have failed. */
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
      ViewGate.Pass pass = enter(); // else what is forgotten might be on its way to another node
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
   * appended. A node that fails meanwhile is suspected. For who has the pool alone.
   */
  public boolean join(View view, int node) {
    return isTarget(view, node)
        || (copy(view, node) && isDone(view, node, () -> finishAlone(node)));
  }

  /**
   * Goes on giving a node the log of a live one; returns whether so little is missing that nobody
   * should append for a moment. A node that fails meanwhile is suspected.
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
   * Gives a node the rest of the log while nobody appends, and no transaction has a part in the
   * logs and no end; returns whether it has all of it. A node that fails meanwhile is suspected.
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

  private boolean finishAlone(int node) {
    if (!isHeld.compareAndSet(false, true)) {
      environment.parkNanos(PAUSE_NANOS);
      return false; // there is a mark in the making, or logs are made the same
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
        copy.isDifference() ? "what it missed was appended" : "it was given all of it",
        copy.copiedBytes());
    letGo();
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
      while (!marker.isStopped() && !currentView.isLost() && !sharing.isShared()) {
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

  /** Whether something was appended here since the last mark. */
  public boolean isUnmarked() {
    return isUnmarked;
  }

  /**
   * Whether there are transactions of this compute node that have a part in the logs, and no end.
   * If that has often been so when nobody was to append, the next of them are held back.
   */
  public boolean isInParts() {
    boolean isInParts = unended.get() > 0;
    if (isInParts) {
      missedTogether++;
      isHeldBack = missedTogether >= MISSED_MAX;
    }
    return isInParts;
  }

  /** A mark was put into the logs, or one was given to a node; nobody here has appended since. */
  public void noteMarked() {
    isUnmarked = false;
    missedTogether = 0;
    isHeldBack = false;
  }

  /**
   * Puts a mark into the logs while nobody appends of all that share the pool; false if the logs
   * are not the same: one that has died has left something.
   */
  public boolean markTogether(View view) {
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
