package org.nelumbo.dm.fabric.tcp;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.nelumbo.dm.agreement.AcceptorNetwork;
import org.nelumbo.dm.agreement.AgreementEncoding;
import org.nelumbo.dm.agreement.AgreementReply;
import org.nelumbo.dm.agreement.AgreementRequest;
import org.nelumbo.dm.env.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Access to memory nodes as acceptors, over TCP. Each request has its own connection, on which both
 * sides prove that they know the secret. The reason is that requests are rare, originate from
 * compute nodes that are not served, and go to nodes that may be down. The sender does not wait,
 * unless the process cannot start more threads.
 */
public final class TcpAcceptorNetwork implements AcceptorNetwork {
  private static final Logger LOG = LoggerFactory.getLogger(TcpAcceptorNetwork.class);

  private static final long REFUSED_NANOS = 20_000_000;

  private final Environment environment;
  private final List<NodeAddress> nodes;
  private final TcpOptions options;

  /** Earliest time of the next attempt for each node; 0 if the last one had a response. */
  private final AtomicLongArray refusedUntil;

  /**
   * Creates a network.
   *
   * @param nodes addresses of the nodes, in the order of their numbers
   */
  public TcpAcceptorNetwork(Environment environment, List<NodeAddress> nodes, TcpOptions options) {
    this.environment = environment;
    this.nodes = List.copyOf(nodes);
    this.options = options;
    this.refusedUntil = new AtomicLongArray(nodes.size());
  }

  @Override
  public Pending send(int node, AgreementRequest request) {
    Exchange exchange = new Exchange(node, request);
    try {
      environment.thread("nelumbo-agreement", exchange).start();
    } catch (OutOfMemoryError e) {
      LOG.debug("cannot start a thread; the caller waits for memory node {}", node, e);
      exchange.run();
    }
    return exchange;
  }

  /**
   * Ends on its own, even if the sender has closed the pool: no wait, for the connection or for a
   * frame, takes longer than a second.
   */
  private final class Exchange implements Pending, Runnable {
    private final int node;
    private final AgreementRequest request;
    private volatile AgreementReply reply;
    private volatile boolean failed;

    Exchange(int node, AgreementRequest request) {
      this.node = node;
      this.request = request;
    }

    @Override
    public void run() {
      if (node >= nodes.size()) { // more nodes vote than the opener of the pool has named
        environment.parkNanos(REFUSED_NANOS);
        failed = true;
        return;
      }
      boolean isAnswered = false;
      awaitTurn();
      try {
        reply =
            AgreementEncoding.reply(
                new Handshake(nodes.get(node), node, options)
                    .impatient()
                    .agree(AgreementEncoding.encode(request)));
        isAnswered = true;
      } catch (RuntimeException e) {
        LOG.debug("memory node {} does not respond to {}: {}", node, request, e.toString());
      } finally {
        refusedUntil.set(node, isAnswered ? 0 : environment.nanoTime() + REFUSED_NANOS);
        failed = !isAnswered;
      }
    }

    /**
     * A proposer that needs a majority retries at once, and a node that is down refuses at once.
     */
    private void awaitTurn() {
      long until = refusedUntil.get(node);
      long nanos = until == 0 ? 0 : until - environment.nanoTime();
      if (nanos > 0) {
        environment.parkNanos(nanos);
      }
    }

    @Override
    public AgreementReply poll() {
      return reply;
    }

    @Override
    public boolean hasFailed() {
      return failed;
    }

    @Override
    public void cancel() {
      // The request arrives nevertheless, and the thread ends on its own.
    }
  }
}
