package org.nelumbo.simulation.agreement;

import org.nelumbo.dm.agreement.AcceptorId;
import org.nelumbo.dm.agreement.AcceptorState;
import org.nelumbo.dm.agreement.AgreementReply;
import org.nelumbo.dm.agreement.AgreementRequest;
import org.nelumbo.dm.agreement.HeapStore;
import org.nelumbo.dm.agreement.PaxosAcceptor;

/** The acceptor of a memory node, which may be down, and may have lost its memory. */
final class SimAcceptor {
  private final int node;
  private AcceptorId id;
  private HeapStore memory;
  private PaxosAcceptor acceptor;

  SimAcceptor(int node, long incarnation) {
    this.node = node;
    startEmpty(incarnation);
  }

  AcceptorId id() {
    return id;
  }

  boolean isUp() {
    return acceptor != null;
  }

  void stop() {
    acceptor = null;
  }

  /** Starts with the memory it had. */
  void start() {
    acceptor = new PaxosAcceptor(id, memory);
  }

  /** Starts with empty memory. */
  void startEmpty(long incarnation) {
    id = new AcceptorId(node, incarnation);
    memory = new HeapStore();
    start();
  }

  AgreementReply reply(AgreementRequest request) {
    return acceptor.reply(request);
  }

  /** Returns the stored state. */
  AcceptorState stored() {
    return memory.load();
  }
}
