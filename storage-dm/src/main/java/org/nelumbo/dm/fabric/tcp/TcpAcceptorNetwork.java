package org.nelumbo.dm.fabric.tcp;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import org.nelumbo.dm.agreement.AcceptorNetwork;
import org.nelumbo.dm.agreement.AgreementAnswer;
import org.nelumbo.dm.agreement.AgreementEncoding;
import org.nelumbo.dm.agreement.AgreementRequest;
import org.nelumbo.dm.env.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to memory nodes as acceptors, over TCP. Each request has a connection of its own, on
 * which both sides prove that they know the secret: requests are few, come from compute nodes that
 * are not served, and go to nodes that may be away. Whoever asks does not wait, unless the process
 * can start no more threads.
 */
public final class TcpAcceptorNetwork implements AcceptorNetwork {
  private static final Logger LOG = LoggerFactory.getLogger(TcpAcceptorNetwork.class);

  /** Between two attempts to reach a node that has just refused one. */
  private static final long REFUSED_NANOS = 20_000_000;

  private final Environment environment;
  private final List<NodeAddress> nodes;
  private final TcpOptions options;

  /** When each node is asked again at the earliest, 0 if it has answered the last time. */
  private final AtomicLongArray refusedUntil;

  /**
   * @param nodes by their numbers
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
      LOG.debug("no thread can be started; whoever asks waits for memory node {}", node, e);
      exchange.run();
    }
    return exchange;
  }

  /**
   * A request and its answer. It ends by itself, also if whoever asked has closed the pool: nothing
   * is waited for longer than a second, neither the connection nor a frame.
   */
  private final class Exchange implements Pending, Runnable {
    private final int node;
    private final AgreementRequest request;
    private volatile AgreementAnswer answer;
    private volatile boolean failed;

    Exchange(int node, AgreementRequest request) {
      this.node = node;
      this.request = request;
    }

    @Override
    public void run() {
      if (node >= nodes.size()) { // more vote than whoever opens the pool has named
        environment.parkNanos(REFUSED_NANOS);
        failed = true;
        return;
      }
      boolean isAnswered = false;
      awaitTurn();
      try {
        answer =
            AgreementEncoding.answer(
                new Handshake(nodes.get(node), node, options)
                    .impatient()
                    .agree(AgreementEncoding.encode(request)));
        isAnswered = true;
      } catch (RuntimeException e) {
        LOG.debug("memory node {} has no answer to {}: {}", node, request, e.toString());
      } finally {
        refusedUntil.set(node, isAnswered ? 0 : environment.nanoTime() + REFUSED_NANOS);
        failed = !isAnswered;
      }
    }

    /** Whoever wants a majority asks again at once, and a node that is away refuses at once. */
    private void awaitTurn() {
      long until = refusedUntil.get(node);
      long nanos = until == 0 ? 0 : until - environment.nanoTime();
      if (nanos > 0) {
        environment.parkNanos(nanos);
      }
    }

    @Override
    public AgreementAnswer poll() {
      return answer;
    }

    @Override
    public boolean hasFailed() {
      return failed;
    }

    @Override
    public void cancel() {
      // What was asked arrives nevertheless, and the thread ends by itself.
    }
  }
}
