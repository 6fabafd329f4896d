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
 * This memory node as an acceptor of what memory nodes agree on. It lives as long as the memory
 * does: in a file beside that of the memory, or in this process. Thread-safe.
 */
final class NodeAcceptor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeAcceptor.class);

  /** Null: it forgets when the process ends. */
  private final AcceptorFile file;

  private final PaxosAcceptor acceptor;

  /** Guards the acceptor. */
  private final ReentrantLock lock = new ReentrantLock();

  private LongConsumer fence = owner -> {};

  /** Number of the latest decision whose owner {@link #fence} was told of. */
  private long fenced;

  /** The number in the pool is for proposers; an acceptor is known by its incarnation. */
  private NodeAcceptor(AcceptorFile file, AcceptorId id) {
    this.file = file;
    this.acceptor = new PaxosAcceptor(id, file == null ? new HeapStore() : file);
    this.fenced = acceptor.state().decidedNumber();
  }

  /** One that forgets when the process ends, as its memory does. */
  static NodeAcceptor forgetful(Environment environment) {
    return new NodeAcceptor(null, new AcceptorId(0, environment.randomLong()));
  }

  /**
   * One that remembers as long as a file is there.
   *
   * @throws IOException if the file cannot be used
   */
  static NodeAcceptor of(Environment environment, Path path) throws IOException {
    AcceptorFile file = AcceptorFile.open(path, environment);
    return new NodeAcceptor(file, new AcceptorId(0, file.incarnation()));
  }

  /**
   * Answers an encoded request.
   *
   * @throws IllegalArgumentException if it is none
   */
  byte[] answer(byte[] bytes) {
    AgreementRequest request = AgreementEncoding.request(bytes);
    lock.lock();
    try {
      byte[] answer = AgreementEncoding.encode(acceptor.answer(request));
      fenceOthers();
      return answer;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Under the lock, so that no answer tells of a decision whose owner is not alone yet. What throws
   * here is done again with the next request.
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
   * Sets who is told of the owner of the pool before a decision is acknowledged; before the first
   * request.
   */
  void setFence(LongConsumer told) {
    fence = told;
  }

  /** What has been decided, as far as this node knows; null if nothing that it understands. */
  private PoolConfiguration configuration() {
    Decision decided = acceptor.state().decided();
    try {
      return decided == null ? null : PoolConfiguration.decode(decided.content());
    } catch (IllegalArgumentException e) {
      LOG.debug("{} is no configuration: {}", decided, e.getMessage());
      return null;
    }
  }

  /** Whether it knows what has been decided of a pool. */
  boolean hasDecision() {
    lock.lock();
    try {
      return configuration() != null;
    } finally {
      lock.unlock();
    }
  }

  /** What has been decided, in lines of {@code key=value}. */
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
      LOG.debug("closing the file of what was promised: {}", e.toString());
    } finally {
      lock.unlock();
    }
  }
}
