package org.nelumbo.dm.replication.membership;

import java.util.EnumSet;
import java.util.Set;
import org.nelumbo.dm.agreement.NoMajorityException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.replication.intent.IntentTable;
import org.nelumbo.dm.replication.verbs.Sharing;
import org.nelumbo.dm.replication.verbs.ViewGate;
import org.nelumbo.dm.replication.view.CurrentView;
import org.nelumbo.dm.replication.view.HeaderWriter;
import org.nelumbo.dm.replication.view.NodeBits;
import org.nelumbo.dm.replication.view.View;

/**
 * Membership of the memory nodes of a pool, as one compute node changes it: a state machine. A
 * change of the view from v to n passes these states. Each row states what holds from then on.
 *
 * <pre>
 * state     | view n                            | local flushes, in a shared pool | next state
 * ----------+-----------------------------------+---------------------------------+-------------
 * STEADY    | none; view v is in force          | enter, in v                     | DECIDING
 * DECIDING  | proposed to the memory nodes      | do not enter; wait if they have | DECIDED
 *           |                                   | met a failed node               | STEADY (1)
 * DECIDED   | decided by a majority             | as above                        | WRITTEN
 * WRITTEN   | in the headers of its live nodes  | as above                        | STEADY (2)
 *           |                                   |                                 | LEFT
 * LEFT      | "left n" is in the intent table   | all that are inside wait        | REPEATING
 * REPEATING | all compute nodes have left v     | waiting flushes continue, in n  | REPEATED
 * REPEATED  | "repeated n" is in the table      | none is inside                  | STEADY (3)
 * LOST      | never in force                    | fail                            | none
 * </pre>
 *
 * <ol>
 *   <li>The memory nodes have decided nothing new.
 *   <li>In an exclusive pool, view n is in force. Flushes need no gate there, and one that has met
 *       a failed node waits in {@link CurrentView#awaitExclusion}.
 *   <li>In a shared pool ({@link Sharing#isTogether}), view n is in force when all compute nodes
 *       have recorded "repeated n".
 * </ol>
 *
 * <p>A node of n may fail, or other compute nodes may decide a later view, in any state from
 * DECIDING on. Then the change returns to DECIDING, with the next number. Any thread may mark the
 * pool as lost in any state ({@link CurrentView#lose}).
 *
 * <p>A memory node has one of these states in a view:
 *
 * <pre>
 * state    | connection | progress | flushes               | next state, by a change of the view
 * ---------+------------+----------+-----------------------+------------------------------------
 * OUT      | no         | no       | none                  | FILLING: was reached and admitted
 * FILLING  | yes        | yes      | WRITEs to filled part | LIVE: has everything other nodes have
 *          |            |          |                       | OUT: failed
 * LIVE     | yes        | no       | all WRITEs, and READs | OUT: failed
 * </pre>
 *
 * <p>In an exclusive pool, FILLING begins and ends without a new view number ({@link #replace}),
 * because headers and decisions name live nodes only. A suspected node keeps its state until the
 * next view.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>A view is in force only after a majority has decided it, and after all of its live nodes
 *       have it in their headers. So an attach, which reads a majority, does not continue with an
 *       earlier view, and a forced attach finds it in any of these headers.
 *   <li>In a shared pool, a view is in force only after all compute nodes have left the earlier
 *       ones.
 *   <li>A node becomes LIVE only after FILLING.
 * </ul>
 *
 * <p>Confined to the view-change thread.
 */
public final class Membership {
  private final CurrentView currentView;
  private final Sharing sharing;
  private final HeaderWriter headers;
  private final ViewAgreement agreement;

  /** State of the change. LOST is held by the current view instead. */
  private State phase = State.STEADY;

  /** Highest view number that was proposed while this compute node had the pool exclusively. */
  private long lastNumber;

  /** State of a view change. */
  enum State {
    STEADY,
    DECIDING,
    DECIDED,
    WRITTEN,
    LEFT,
    REPEATING,
    REPEATED,
    LOST
  }

  public Membership(
      CurrentView currentView, Sharing sharing, HeaderWriter headers, ViewAgreement agreement) {
    this.currentView = currentView;
    this.sharing = sharing;
    this.headers = headers;
    this.agreement = agreement;
    this.lastNumber = currentView.last().number();
  }

  State state() {
    return currentView.isLost() ? State.LOST : phase;
  }

  /** Returns the view in force, or the last one that was. */
  View view() {
    return currentView.last();
  }

  CurrentView currentView() {
    return currentView;
  }

  Sharing sharing() {
    return sharing;
  }

  HeaderWriter headers() {
    return headers;
  }

  ViewAgreement agreement() {
    return agreement;
  }

  boolean isLost() {
    return currentView.isLost();
  }

  /** Any state → LOST, unless the pool is lost already. */
  void lose(int node, String why) {
    currentView.lose(node, "the pool is lost: " + why);
  }

  /** Any state → LOST: another compute node owns the pool. */
  void loseToOwner() {
    lose(
        0,
        agreement.known().owner().name()
            + " has attached it while this process could not be reached");
  }

  /**
   * Any state → STEADY, after an error of this process. Returns true if nodes may have received a
   * view that never came into force. Then the view in force has to be written again.
   */
  boolean restart() {
    phase = State.STEADY;
    return lastNumber > view().number();
  }

  // Changes in an exclusive pool.

  /** STEADY, DECIDING, DECIDED → DECIDING. Returns the view with the next number. */
  View propose(View wanted) {
    assert !sharing.isViewFixed() : "other processes may have attached the pool";
    advance(EnumSet.of(State.STEADY, State.DECIDING, State.DECIDED), State.DECIDING);
    lastNumber++;
    return wanted.with(lastNumber);
  }

  /**
   * DECIDING → DECIDED, if the memory nodes agree.
   *
   * @return false if another compute node owns the pool
   * @throws NoMajorityException if too few memory nodes respond
   */
  boolean decide(View next) throws NoMajorityException {
    boolean isDecided = agreement.decide(next, headers.poolId(), headers.incarnations());
    if (isDecided) {
      advance(EnumSet.of(State.DECIDING), State.DECIDED);
    }
    return isDecided;
  }

  /** STEADY → STEADY. Puts a view in force that differs only in the nodes being filled or out. */
  void replace(View next) {
    assert phase == State.STEADY && next.number() == view().number() : this;
    assert isReachable(view(), next) : next.number();
    currentView.install(next);
  }

  // Changes in a shared pool.

  /**
   * STEADY → DECIDING. Closes the gates.
   *
   * @param isFailed true if memory nodes have failed
   */
  void begin(boolean isFailed) {
    assert sharing.isTogether() : "this compute node owns the pool exclusively";
    advance(EnumSet.of(State.STEADY), State.DECIDING);
    closeGates(isFailed);
  }

  /** DECIDING → STEADY. The view in force is the latest. */
  void cancel() {
    advance(EnumSet.of(State.DECIDING), State.STEADY);
  }

  /** DECIDING → DECIDED. */
  void noteDecided() {
    advance(EnumSet.of(State.DECIDING), State.DECIDED);
  }

  /** DECIDED, WRITTEN, LEFT, REPEATING, REPEATED → DECIDING. The decided view is abandoned. */
  void retry() {
    advance(EnumSet.range(State.DECIDED, State.REPEATED), State.DECIDING);
  }

  /** Prevents flushes from entering, and waiting flushes from continuing. */
  void closeGates(boolean isFailed) {
    sharing.gates().forEach(gate -> gate.close(isFailed));
  }

  /** Returns true if all flushes inside the gates wait. */
  boolean isDrained() {
    return sharing.gates().stream().allMatch(ViewGate::isDrained);
  }

  /** Returns true if no flush is inside the gates. */
  boolean isEmpty() {
    return sharing.gates().stream().allMatch(ViewGate::isEmpty);
  }

  /** WRITTEN → LEFT. */
  void leave(IntentTable table) {
    table.noteLeft(sharing.intents());
    advance(EnumSet.of(State.WRITTEN), State.LEFT);
  }

  /** LEFT → REPEATING. */
  void repeat(View next) {
    advance(EnumSet.of(State.LEFT), State.REPEATING);
    sharing.gates().forEach(gate -> gate.repeat(next));
  }

  /** REPEATING → REPEATED. */
  void noteRepeated(IntentTable table) {
    table.noteRepeated(sharing.intents());
    advance(EnumSet.of(State.REPEATING), State.REPEATED);
  }

  /** Lets flushes enter in the view in force. */
  void openGates() {
    assert phase == State.STEADY : this;
    sharing.gates().forEach(ViewGate::open);
  }

  // Changes in both.

  /** DECIDED → WRITTEN, if no node fails. Returns the nodes that failed, one bit per node. */
  long write(View next) {
    assert phase == State.DECIDED : this;
    long failed = headers.writeView(next);
    if (failed == 0) {
      advance(EnumSet.of(State.DECIDED), State.WRITTEN);
    }
    return failed;
  }

  /** WRITTEN → STEADY, or REPEATED → STEADY in a shared pool. Puts a view in force. */
  void install(View next) {
    assert isReachable(view(), next) : next.number();
    advance(EnumSet.of(sharing.isTogether() ? State.REPEATED : State.WRITTEN), State.STEADY);
    currentView.install(next);
  }

  private void advance(Set<State> from, State to) {
    assert from.contains(phase) : this + " to " + to;
    phase = to;
  }

  private static boolean isReachable(View before, View next) {
    for (int node = 0; node < before.placement().nodes(); node++) {
      NodeConnection was = before.connection(node);
      NodeConnection is = next.connection(node);
      boolean isLegal =
          is == null
              || (was == null && !next.isLive(node))
              || (was == is && (next.isLive(node) || !before.isLive(node)));
      if (!isLegal) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return state() + ", view " + view().number() + " of " + NodeBits.toString(view().liveNodes());
  }
}
