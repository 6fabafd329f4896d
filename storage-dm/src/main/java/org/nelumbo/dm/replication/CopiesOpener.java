package org.nelumbo.dm.replication;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.fabric.tcp.NodeAddress;
import org.nelumbo.dm.fabric.tcp.RevokedException;
import org.nelumbo.dm.fabric.tcp.TcpAcceptorNetwork;
import org.nelumbo.dm.fabric.tcp.TcpNode;
import org.nelumbo.dm.fabric.tcp.TcpOptions;
import org.nelumbo.dm.fabric.tcp.TcpPeerNetwork;
import org.nelumbo.dm.pool.FabricException;
import org.nelumbo.dm.pool.NodeConnection;
import org.nelumbo.dm.pool.PoolInUseException;
import org.nelumbo.dm.pool.PoolOpenException;
import org.nelumbo.dm.pool.PoolVacantException;
import org.nelumbo.dm.replication.membership.ViewAgreement;
import org.nelumbo.dm.replication.membership.WantedPool;
import org.nelumbo.dm.replication.view.NodeBits;

/**
 * Opens a pool with copies on memory nodes that are reached over TCP: enters beside those who have
 * it, or attaches if nobody has. Who has it alone is asked to share it by the attempt, and given
 * some time for that. So are those who have it together, to notice that one of its memory nodes is
 * gone.
 */
final class CopiesOpener {
  /** A memory node that is silent for longer is left out, however long its answers took. */
  private static final int ANSWER_MILLIS = 5_000;

  /** A memory node that has answered quickly until then is left out after so long. */
  private static final int QUICK_ANSWER_MILLIS = 1_000;

  /** How long those that decide are waited for, beyond the time in which each has to answer. */
  private static final long VOTE_NANOS = 2_500_000_000L;

  /** How long it is tried to have something decided. */
  private static final long DECISION_NANOS = 10_000_000_000L;

  private static final long POLL_NANOS = 50_000_000L;

  private final Environment environment;
  private final List<NodeAddress> nodes;
  private final TcpOptions options;
  private final WantedPool wanted;
  private final List<NodeAddress> witnesses;

  CopiesOpener(
      Environment environment,
      List<NodeAddress> nodes,
      TcpOptions options,
      WantedPool wanted,
      List<NodeAddress> witnesses) {
    this.environment = environment;
    this.nodes = nodes;
    this.options = options;
    this.wanted = wanted;
    this.witnesses = witnesses;
  }

  /**
   * Opens it.
   *
   * @param first what the memory nodes have said just now
   * @throws org.nelumbo.dm.pool.PoolLoadingException if who has it is still loading it
   */
  ReplicatedFabric open(PoolCensus first) {
    long latest = environment.nanoTime() + first.patienceNanos();
    PoolCensus census = first;
    while (true) {
      String owner = "";
      try {
        return enterOrAttach(census);
      } catch (PoolInUseException | NotEnteredException e) {
        if (wanted.force() || environment.nanoTime() - latest > 0) {
          throw e;
        }
        owner = e instanceof PoolInUseException taken ? taken.owner() : "";
      } catch (PoolOpenException e) {
        census.checkLoaded("another compute node"); // which may have kept the nodes from answering
        throw e;
      }
      environment.parkNanos(POLL_NANOS);
      census = PoolCensus.take(environment, nodes, options);
      if (!owner.isEmpty()) {
        census.checkLoaded(owner);
      }
    }
  }

  /**
   * It may be let in the next time: those who share the pool have a memory node that cannot be
   * reached from here, or took who was entering for dead, as it was slow.
   */
  private static final class NotEnteredException extends PoolOpenException {
    private static final long serialVersionUID = 1L;

    NotEnteredException(RuntimeException why) {
      super(why.getMessage(), why);
    }
  }

  private ReplicatedFabric enterOrAttach(PoolCensus census) {
    if (census.copies() > 1 && !wanted.force()) {
      try {
        return enter(census.live());
      } catch (PoolVacantException e) {
        return attach(census);
      } catch (FabricException | RevokedException e) {
        throw new NotEnteredException(e);
      }
    }
    return attach(census);
  }

  /** Enters memory nodes, a bit each. */
  private ReplicatedFabric enter(long live) {
    Self self = new Self();
    return ReplicatedFabric.enter(
        environment,
        connectors(
            node ->
                NodeBits.has(live, node)
                    ? TcpNode.entrance(environment, nodes.get(node), node, self.links)
                    : new Absent(node, self.links)),
        self.options());
  }

  private ReplicatedFabric attach(PoolCensus census) {
    Self self = new Self();
    List<NodeConnection.Connector> connectors =
        connectors(
            node ->
                census.informed(
                    node, TcpNode.connector(environment, nodes.get(node), node, self.links)));
    census.checkReplicated(connectors, wanted, self.agreement());
    return ReplicatedFabric.open(environment, connectors, self.options());
  }

  private List<NodeConnection.Connector> connectors(IntFunction<NodeConnection.Connector> way) {
    return IntStream.range(0, nodes.size()).mapToObj(way).toList();
  }

  /** A compute node, as which one attempt is made: who has left is not let in again. */
  private final class Self {
    private final long tenant = drawn();
    private final TcpOptions links =
        options
            .withIncarnation(tenant)
            .withTimeoutMillis(Math.min(options.timeouts().millis(), ANSWER_MILLIS))
            .withShortestTimeoutMillis(QUICK_ANSWER_MILLIS);

    private long drawn() {
      long id = environment.randomLong();
      return id == 0 ? drawn() : id;
    }

    ViewAgreement.Options agreement() {
      List<NodeAddress> voters = new ArrayList<>(nodes);
      voters.addAll(witnesses);
      return new ViewAgreement.Options(
          new TcpAcceptorNetwork(environment, voters, options),
          witnesses.size(),
          tenant,
          options.owner(),
          VOTE_NANOS,
          DECISION_NANOS);
    }

    ReplicatedFabric.Options options() {
      PeerOpener peers =
          (leaseNanos, self) ->
              TcpPeerNetwork.open(environment, nodes, links, tenant, leaseNanos, self);
      return ReplicatedFabric.Options.DEFAULT
          .withWanted(wanted)
          .withAgreement(agreement())
          .withPeers(peers);
    }
  }

  /** A memory node that those who share the pool do without, or fill. */
  private final class Absent implements NodeConnection.Connector {
    private final int node;
    private final TcpOptions links;

    Absent(int node, TcpOptions links) {
      this.node = node;
      this.links = links;
    }

    @Override
    public NodeConnection connect() {
      throw new FabricException(node, "those who share the pool do without it", null);
    }

    @Override
    public NodeConnection rejoin() {
      return TcpNode.entrance(environment, nodes.get(node), node, links).rejoin();
    }

    @Override
    public String name() {
      return node + " at " + nodes.get(node);
    }

    @Override
    public String address() {
      return nodes.get(node).toString();
    }
  }
}
