package org.nelumbo.simulation.agreement;

import java.util.ArrayList;
import java.util.List;
import org.nelumbo.dm.agreement.AcceptorId;
import org.nelumbo.dm.agreement.AcceptorNetwork;
import org.nelumbo.dm.agreement.AgreementReply;
import org.nelumbo.dm.agreement.AgreementRequest;
import org.nelumbo.dm.agreement.Decision;
import org.nelumbo.dm.agreement.NoMajorityException;
import org.nelumbo.dm.agreement.PaxosProposer;
import org.nelumbo.simulation.message.MessageFaults;
import org.nelumbo.simulation.message.MessageNetwork;
import org.nelumbo.simulation.message.SimReply;
import org.nelumbo.simulation.run.FaultRun;
import org.nelumbo.simulation.run.Totals;
import org.nelumbo.simulation.world.SimNode;
import org.nelumbo.simulation.world.SimTask;
import org.nelumbo.simulation.world.SimWorld;

/**
 * A run of agreement among memory nodes with one seed. Some compute nodes read and change the
 * decision: they extend it, and make acceptors leave, join, and replace themselves after a loss of
 * memory. Meanwhile messages get lost, doubled and late, links are cut in one direction, compute
 * nodes pause and fail, memory nodes stop and restart, with or without their memory.
 *
 * <p>The invariants of decisions are those of {@link DecisionLedger}. In addition, a decision
 * returned by a proposer is at least as late as all decisions returned before its request. Once all
 * faults are over, every proposer succeeds if enough acceptors have kept their memory.
 */
public final class AgreementRun extends FaultRun {
  private static final long REPLY_NANOS = 60_000;
  private static final long PATIENCE_NANOS = 3_000_000;
  private static final long RUN_NANOS = 30_000_000;
  private static final long CALM_NANOS = 200_000_000;
  private static final long STEPS = 20_000_000;

  private final MessageNetwork network;
  private final DecisionLedger ledger = new DecisionLedger();
  private final List<SimAcceptor> acceptors = new ArrayList<>();
  private final int nodes;
  private final int proposers;
  private final boolean mayForgetMost;
  private final boolean keepsAcceptors;
  private final double forgetShare;
  private final double killShare;
  private long tags;
  private long lastProposer;
  private final List<SimTask> tasks = new ArrayList<>();
  private boolean calm;

  public AgreementRun(SimWorld world, Totals totals) {
    super(world, totals, "agreement", RUN_NANOS + 10 * CALM_NANOS, STEPS);
    this.nodes = 1 + random.nextInt(6);
    this.proposers = 1 + random.nextInt(4);
    this.mayForgetMost = random.chance(0.1);
    this.keepsAcceptors = random.chance(0.4);
    this.forgetShare = random.nextInt(3) * 0.03;
    this.killShare = random.nextInt(3) * 0.2;
    this.network =
        new MessageNetwork(
            world,
            "messages",
            new MessageFaults(
                1_000,
                3_000,
                random.chance(0.5) ? 0.1 : 0,
                random.chance(0.5) ? 30_000 : 2_000_000,
                random.nextInt(3) * 0.1,
                random.chance(0.5) ? 0.1 : 0));
    for (int i = 0; i < nodes; i++) {
      acceptors.add(new SimAcceptor(i, random.nextLong()));
    }
  }

  @Override
  protected void run() {
    for (int i = 0; i < proposers; i++) {
      tasks.add(null);
      startProposer(i);
    }
    world.spawn(world.addNode("faults"), "faults", this::disturb);
    world.run();
    calm = true;
    network.healAll();
    network.setFaults(new MessageFaults(1_000, 3_000, 0, 3_000, 0, 0));
    acceptors.stream().filter(each -> !each.isUp()).forEach(SimAcceptor::start);
    for (int i = 0; i < proposers; i++) {
      PaxosProposer proposer = newProposer(i, world.addNode("calm" + i));
      world.run(world.nodes().getLast(), "calm", () -> readInTheEnd(proposer));
    }
  }

  @Override
  protected void end() {
    count("decisions", ledger.size());
    count("messages", network.delivered());
    count("lost", network.lost());
  }

  private void startProposer(int index) {
    SimNode node = world.addNode("cn" + index + "." + lastProposer);
    PaxosProposer proposer = newProposer(index, node);
    tasks.set(index, world.spawn(node, "proposer", () -> propose(node, proposer)));
  }

  private void killProposer(int index) {
    if (tasks.get(index).isAlive()) {
      count("deaths");
      world.stop(tasks.get(index));
      startProposer(index);
    }
  }

  private PaxosProposer newProposer(int index, SimNode node) {
    return new PaxosProposer(
        node.environment(), new Ways(nodes + index), ++lastProposer, REPLY_NANOS);
  }

  private List<AcceptorId> allIds() {
    return acceptors.stream().map(SimAcceptor::id).toList();
  }

  private void propose(SimNode node, PaxosProposer proposer) {
    while (world.now() < RUN_NANOS) {
      long latest = ledger.latestAcknowledged();
      long deadline = node.environment().nanoTime() + PATIENCE_NANOS;
      try {
        Decision done = once(proposer, deadline);
        if (done != null) {
          if (done.number() < latest) {
            throw new IllegalStateException(done + " is returned after " + latest);
          }
          ledger.acknowledge(done);
        }
      } catch (NoMajorityException e) {
        count("without-majority");
      }
      node.environment().parkNanos(1 + random.nextLong(200_000));
    }
  }

  private Decision once(PaxosProposer proposer, long deadline) throws NoMajorityException {
    if (proposer.known() == null || random.chance(0.05)) {
      proposer.inquire(nodes, _ -> true);
    }
    if (proposer.known() == null) {
      // No acceptor loses its memory before the first decision, so no reply contains a decision.
      return ledger.latest() == null
          ? proposer.first(allIds(), DecisionLedger.firstContent(++tags), deadline)
          : null;
    }
    if (random.chance(0.3)) {
      count("reads");
      return proposer.latest(deadline);
    }
    long tag = ++tags;
    int kind = keepsAcceptors ? 0 : random.nextInt(4);
    Decision done = proposer.change(before -> changed(before, tag, kind), deadline);
    count("changes");
    return done;
  }

  private Decision changed(Decision before, long tag, int kind) {
    if (DecisionLedger.tag(before) == tag) {
      return null;
    }
    List<AcceptorId> next = new ArrayList<>(before.acceptors());
    int node = random.nextInt(nodes);
    boolean isIn = next.removeIf(each -> each.node() == node && kind > 0);
    if (kind == 1 && next.isEmpty() || kind > 1 || kind == 1 && !isIn) {
      next.removeIf(each -> each.node() == node);
      next.add(acceptors.get(node).id());
    }
    return before.next(next, DecisionLedger.contentAfter(before, tag));
  }

  private void readInTheEnd(PaxosProposer proposer) {
    Decision last = ledger.latest();
    if (last == null || remembering(last) < last.quorum()) {
      return;
    }
    long deadline = world.now() + CALM_NANOS;
    try {
      proposer.inquire(nodes, _ -> true);
      if (proposer.known() == null) {
        proposer.first(allIds(), DecisionLedger.firstContent(++tags), deadline);
      }
      Decision latest = proposer.latest(deadline);
      if (latest.number() < ledger.latestAcknowledged()) {
        throw new IllegalStateException(latest + " in the end, after later ones");
      }
      ledger.acknowledge(latest);
    } catch (NoMajorityException e) {
      boolean isFirst = proposer.known() == null;
      Decision latest = isFirst ? ledger.latest() : proposer.known();
      int needed = isFirst ? latest.acceptors().size() : latest.quorum();
      if (remembering(latest) >= needed && !isBeingReplaced(latest)) {
        throw new IllegalStateException("no fault is left, but " + e.getMessage());
      }
    }
  }

  /**
   * Returns true if a decision after the latest one was accepted, whose acceptors may be
   * unreachable.
   */
  private boolean isBeingReplaced(Decision latest) {
    return acceptors.stream()
        .map(SimAcceptor::stored)
        .anyMatch(each -> each.accepted() != null && each.accepted().number() > latest.number());
  }

  private long remembering(Decision decision) {
    return decision.acceptors().stream()
        .filter(each -> acceptors.get(each.node()).id().equals(each))
        .count();
  }

  // Faults.

  private void disturb() {
    while (world.now() < RUN_NANOS) {
      pause(RUN_NANOS / 20);
      int node = random.nextInt(nodes);
      switch (random.nextInt(7)) {
        case 0 -> cutForAWhile(node);
        case 1 -> stopForAWhile(node);
        case 2 -> forget(node);
        case 3 -> pauseSomebody();
        case 4 -> killProposer(random.nextInt(proposers));
        default -> {
          // A calm moment.
        }
      }
    }
  }

  private void disturbChoice(int node, int proposer) {
    if (random.chance(forgetShare)) {
      forget(node);
    } else if (random.chance(killShare)) {
      killProposer(proposer);
    } else if (random.chance(0.05)) {
      cutForAWhile(random.nextInt(nodes));
    } else if (random.chance(0.02)) {
      stopForAWhile(node);
    }
  }

  private void cutForAWhile(int node) {
    int proposer = nodes + random.nextInt(proposers);
    boolean there = random.chance(0.7);
    boolean back = !there || random.chance(0.5);
    if (there) {
      network.cut(proposer, node);
    }
    if (back) {
      network.cut(node, proposer);
    }
    network.healAt(world.now() + random.nextLong(RUN_NANOS / 4), proposer, node);
  }

  private void stopForAWhile(int node) {
    SimAcceptor acceptor = acceptors.get(node);
    acceptor.stop();
    world.at(
        world.now() + random.nextLong(RUN_NANOS / 8),
        () -> {
          if (!acceptor.isUp()) {
            acceptor.start();
          }
        });
  }

  /** Usually an acceptor that the others can do without. */
  private void forget(int node) {
    Decision latest = ledger.latest();
    if (latest == null) {
      return;
    }
    boolean spared =
        latest.acceptors().contains(acceptors.get(node).id())
            && remembering(latest) <= latest.quorum();
    if (!spared || mayForgetMost) {
      count("empty-restarts");
      acceptors.get(node).startEmpty(random.nextLong());
    }
  }

  private void pauseSomebody() {
    List<SimNode> all = world.nodes();
    SimNode node = all.get(random.nextInt(all.size()));
    if (node.name().startsWith("cn")) {
      node.pauseUntil(world.now() + random.nextLong(RUN_NANOS / 10));
    }
  }

  private final class Ways implements AcceptorNetwork {
    private final int self;

    Ways(int self) {
      this.self = self;
    }

    @Override
    public Pending send(int node, AgreementRequest request) {
      SimReply pending = new SimReply();
      network.send(
          self,
          node,
          () -> {
            SimAcceptor acceptor = acceptors.get(node);
            if (acceptor.isUp()) {
              AgreementReply reply = acceptor.reply(request);
              if (acceptor.stored().decided() != null) {
                ledger.add(acceptor.stored().decided());
              }
              network.send(node, self, () -> pending.come(reply));
              if (reply instanceof AgreementReply.Accepted && !calm) {
                disturbChoice(node, self - nodes);
              }
            }
          });
      return pending;
    }
  }
}
