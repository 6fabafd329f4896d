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
 * Opens a replicated pool on memory nodes that are reached over TCP: joins the compute nodes that
 * have it, or attaches if there are none. The attempt to join requests an exclusive owner to share
 * the pool, and retries for some time. The retries also give the members of a shared pool time to
 * detect that a memory node has failed.
 */
final class CopiesOpener {
  /** Silence after which a memory node is excluded, however long its earlier responses took. */
  private static final int REPLY_MILLIS = 5_000;

  /** Silence after which a memory node is excluded if it has always responded quickly. */
  private static final int QUICK_REPLY_MILLIS = 1_000;

  /** Time to wait for voters, in addition to the time in which each has to respond. */
  private static final long VOTE_NANOS = 2_500_000_000L;

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
   * Opens the pool.
   *
   * @param first survey of the memory nodes, taken just now
   * @throws org.nelumbo.dm.pool.PoolLoadingException if the compute node that has the pool is still
   *     loading it
   */
  ReplicatedFabric open(NodeSurvey first) {
    long latest = environment.nanoTime() + first.patienceNanos();
    NodeSurvey census = first;
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
        census.checkLoaded(
            "another compute node"); // whose loading may have kept the nodes from responding
        throw e;
      }
      environment.parkNanos(POLL_NANOS);
      census = NodeSurvey.take(environment, nodes, options);
      if (!owner.isEmpty()) {
        census.checkLoaded(owner);
      }
    }
  }

  /**
   * Failure of a join that may succeed when it is repeated. Either the members of the pool have a
   * memory node that cannot be reached from here, or they presumed this compute node failed because
   * it was slow.
   */
  private static final class NotEnteredException extends PoolOpenException {
    private static final long serialVersionUID = 1L;

    NotEnteredException(RuntimeException why) {
      super(why.getMessage(), why);
    }
  }

  private ReplicatedFabric enterOrAttach(NodeSurvey census) {
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

  private ReplicatedFabric attach(NodeSurvey census) {
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

  /**
   * Each attempt uses a new tenant number, because a tenant that has left is not admitted again.
   */
  private final class Self {
    private final long tenant = drawn();
    private final TcpOptions links =
        options
            .withIncarnation(tenant)
            .withTimeoutMillis(Math.min(options.timeouts().millis(), REPLY_MILLIS))
            .withShortestTimeoutMillis(QUICK_REPLY_MILLIS);

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

  /** A memory node that the members of the pool have excluded, or are filling. */
  private final class Absent implements NodeConnection.Connector {
    private final int node;
    private final TcpOptions links;

    Absent(int node, TcpOptions links) {
      this.node = node;
      this.links = links;
    }

    @Override
    public NodeConnection connect() {
      throw new FabricException(node, "the members of the pool have excluded it", null);
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
