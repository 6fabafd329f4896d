package org.nelumbo.dm.node;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.nelumbo.dm.agreement.AcceptorFile;
import org.nelumbo.dm.agreement.AcceptorId;
import org.nelumbo.dm.agreement.AgreementEncoding;
import org.nelumbo.dm.agreement.AgreementRequest;
import org.nelumbo.dm.agreement.Decision;
import org.nelumbo.dm.agreement.HeapStore;
import org.nelumbo.dm.agreement.PaxosAcceptor;
import org.nelumbo.dm.env.Environment;
import org.nelumbo.dm.replication.view.PoolConfiguration;
import org.nelumbo.dm.superblock.PoolOwner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This memory node as an acceptor of the agreement between memory nodes. Its state lives as long as
 * the memory: in a file beside the file of the memory, or in this process. Thread-safe.
 */
final class NodeAcceptor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeAcceptor.class);

  /** Null if the state is lost when the process ends. */
  private final AcceptorFile file;

  private final PaxosAcceptor acceptor;

  private final ReentrantLock lock = new ReentrantLock();

  private LongConsumer fence = owner -> {};

  /** Number of the latest decision whose owner was passed to {@link #fence}. */
  private long fenced;

  /**
   * The node number 0 is irrelevant: only proposers use it, and an acceptor is identified by its
   * incarnation.
   */
  private NodeAcceptor(AcceptorFile file, AcceptorId id) {
    this.file = file;
    this.acceptor = new PaxosAcceptor(id, file == null ? new HeapStore() : file);
    this.fenced = acceptor.state().decidedNumber();
  }

  /** Returns an acceptor whose state is lost when the process ends, as the memory is. */
  static NodeAcceptor forgetful(Environment environment) {
    return new NodeAcceptor(null, new AcceptorId(0, environment.randomLong()));
  }

  /**
   * Returns an acceptor with its state in a file.
   *
   * @throws IOException if the file is unusable
   */
  static NodeAcceptor of(Environment environment, Path path) throws IOException {
    AcceptorFile file = AcceptorFile.open(path, environment);
    return new NodeAcceptor(file, new AcceptorId(0, file.incarnation()));
  }

  /**
   * Responds to an encoded request.
   *
   * @throws IllegalArgumentException if it is invalid
   */
  byte[] reply(byte[] bytes) {
    AgreementRequest request = AgreementEncoding.request(bytes);
    lock.lock();
    try {
      byte[] reply = AgreementEncoding.encode(acceptor.reply(request));
      fenceOthers();
      return reply;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Called under the lock, so that no response reveals a decision before its owner is the only one.
   * If this throws, the next request repeats it.
   */
  private void fenceOthers() {
    long decided = acceptor.state().decidedNumber();
    if (decided > fenced) {
      PoolConfiguration now = configuration();
      if (now != null) {
        fence.accept(now.owner().incarnation());
      }
      fenced = decided;
    }
  }

  /**
   * Sets the action that fences other owners before a decision is acknowledged. Called before the
   * first request.
   */
  void setFence(LongConsumer told) {
    fence = told;
  }

  /**
   * Returns the latest decision that this node has learned; null if there is none that it can
   * decode.
   */
  private PoolConfiguration configuration() {
    Decision decided = acceptor.state().decided();
    try {
      return decided == null ? null : PoolConfiguration.decode(decided.content());
    } catch (IllegalArgumentException e) {
      LOG.debug("{} is not a configuration: {}", decided, e.getMessage());
      return null;
    }
  }

  /** Returns true if the node has learned a decision about a pool. */
  boolean hasDecision() {
    lock.lock();
    try {
      return configuration() != null;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the decision, in lines of {@code key=value}. */
  String status() {
    lock.lock();
    try {
      PoolConfiguration now = configuration();
      return now == null
          ? ""
          : "decision="
              + acceptor.state().decidedNumber()
              + " deciding="
              + deciding()
              + "\ndecided_owner="
              + PoolOwner.printable(now.owner().name())
              + "\n";
    } finally {
      lock.unlock();
    }
  }

  private String deciding() {
    return acceptor.state().decided().acceptors().stream()
        .map(each -> Integer.toString(each.node()))
        .collect(Collectors.joining(","));
  }

  @Override
  public void close() {
    if (file == null) {
      return;
    }
    lock.lock();
    try {
      file.close();
    } catch (IOException e) {
      LOG.debug("closing the promise file: {}", e.toString());
    } finally {
      lock.unlock();
    }
  }
}
