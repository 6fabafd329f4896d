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
 * change of the view from v to n takes these states. Each row states what holds from then on.
 *
 * <pre>
 *  state     | view n                            | own flushes, in a shared pool   | next state
 *  ----------+-----------------------------------+---------------------------------+-------------
 *  STEADY    | none; view v is in force          | enter, in v                     | DECIDING
 *  DECIDING  | proposed to the memory nodes      | none enters; one that has met a | DECIDED
 *            |                                   | failed node waits               | STEADY (1)
 *  DECIDED   | decided by a majority             | as above                        | WRITTEN
 *  WRITTEN   | in the headers of its live nodes  | as above                        | STEADY (2)
 *            |                                   |                                 | LEFT
 *  LEFT      | "left n" is in the intent table   | all that are inside wait        | REPEATING
 *  REPEATING | all compute nodes have left v     | those that wait go on, in n     | REPEATED
 *  REPEATED  | "repeated n" is in the table      | none is inside                  | STEADY (3)
 *  LOST      | never in force                    | fail                            | none
 * </pre>
 *
 * <p>(1) The memory nodes have decided nothing new. (2) View n is in force, if this compute node
 * has the pool alone: its flushes need no gate, and one that has met a failed node waits in {@link
 * CurrentView#awaitExclusion}. (3) View n is in force, if the pool is shared ({@link
 * Sharing#isTogether}) and all compute nodes have noted "repeated n".
 *
 * <p>A node of n may fail, or others may decide on a later view, in any state from DECIDING on.
 * Then the change goes back to DECIDING, with the next number. Any thread may lose the pool in any
 * state ({@link CurrentView#lose}).
 *
 * <p>A memory node has one of these states in a view:
 *
 * <pre>
 *  state    | connection | progress | flushes               | next state, by a change of the view
 *  ---------+------------+----------+-----------------------+------------------------------------
 *  OUT      | no         | no       | none                  | FILLING: was reached, and admitted
 *  FILLING  | yes        | yes      | WRITEs to filled part | LIVE: has all that the others have
 *           |            |          |                       | OUT: failed
 *  LIVE     | yes        | no       | all WRITEs, and READs | OUT: failed
 * </pre>
 *
 * <p>A compute node that has the pool alone puts FILLING in force, and ends it, under the number of
 * the view ({@link #replace}): only live nodes count in headers and decisions. A node that is
 * suspected to have failed keeps its state up to the next view.
 *
 * <p><b>Invariants.</b> A view is in force after a majority has decided it, and all its live nodes
 * have it in their headers. So an attach, which reads a majority, does not go on with an earlier
 * one, and a forced attach finds it in any of these headers. If the pool is shared, a view is in
 * force after all compute nodes have left the earlier ones. A node becomes LIVE after FILLING only.
 *
 * <p>For the thread that changes views.
 */
public final class Membership {
  private final CurrentView currentView;
  private final Sharing sharing;
  private final HeaderWriter headers;
  private final ViewAgreement agreement;

  /** Never LOST: the current view has that. */
  private State phase = State.STEADY;

  /** Highest number that was proposed for a view while this compute node had the pool alone. */
  private long lastNumber;

  /** State of a change of the view. */
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

  /** Any state → LOST: somebody else owns the pool. */
  void loseToOwner() {
    lose(
        0,
        agreement.known().owner().name()
            + " has taken it over while this process could not be heard of");
  }

  /**
   * Any state → STEADY, after an error of this process. Returns true if nodes may have been told of
   * a view that never was in force: then the view in force has to be written again.
   */
  boolean restart() {
    phase = State.STEADY;
    return lastNumber > view().number();
  }

  // Changes by a compute node that has the pool alone.

  /** STEADY, DECIDING, DECIDED → DECIDING. Returns the view with the next number. */
  View propose(View wanted) {
    assert !sharing.isViewFixed() : "others may have the pool";
    advance(EnumSet.of(State.STEADY, State.DECIDING, State.DECIDED), State.DECIDING);
    lastNumber++;
    return wanted.with(lastNumber);
  }

  /**
   * DECIDING → DECIDED, if the memory nodes agree.
   *
   * @return false if somebody else owns the pool
   * @throws NoMajorityException if too few of them answer
   */
  boolean decide(View next) throws NoMajorityException {
    boolean isDecided = agreement.decide(next, headers.poolId(), headers.incarnations());
    if (isDecided) {
      advance(EnumSet.of(State.DECIDING), State.DECIDED);
    }
    return isDecided;
  }

  /** STEADY → STEADY. Puts a view in force in which other nodes are filled than before. */
  void replace(View next) {
    assert phase == State.STEADY && next.number() == view().number() : this;
    assert isReachable(view(), next) : next.number();
    currentView.install(next);
  }

  // Changes by compute nodes that share the pool.

  /**
   * STEADY → DECIDING.
   *
   * @param isFailed whether memory nodes have failed
   */
  void begin(boolean isFailed) {
    assert sharing.isTogether() : "this compute node has the pool alone";
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

  /** DECIDED, WRITTEN, LEFT, REPEATING, REPEATED → DECIDING. The decided view does not hold. */
  void retry() {
    advance(EnumSet.range(State.DECIDED, State.REPEATED), State.DECIDING);
  }

  /** Lets no flush enter, and none that waits go on. */
  void closeGates(boolean isFailed) {
    sharing.gates().forEach(gate -> gate.close(isFailed));
  }

  /** Returns true if all flushes that are inside wait. */
  boolean isDrained() {
    return sharing.gates().stream().allMatch(ViewGate::isDrained);
  }

  /** Returns true if no flush is inside. */
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

  // Changes by both.

  /** DECIDED → WRITTEN, if no node fails. Returns the nodes that failed, as bits. */
  long write(View next) {
    assert phase == State.DECIDED : this;
    long failed = headers.writeView(next);
    if (failed == 0) {
      advance(EnumSet.of(State.DECIDED), State.WRITTEN);
    }
    return failed;
  }

  /** WRITTEN → STEADY, or REPEATED → STEADY if the pool is shared. Puts a view in force. */
  void install(View next) {
    assert isReachable(view(), next) : next.number();
    advance(EnumSet.of(sharing.isTogether() ? State.REPEATED : State.WRITTEN), State.STEADY);
    currentView.install(next);
  }

  private void advance(Set<State> from, State to) {
    assert from.contains(phase) : this + " to " + to;
    phase = to;
  }

  /** Returns true if no node is live that was not filled, and none has another connection. */
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
