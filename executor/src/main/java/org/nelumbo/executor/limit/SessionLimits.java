package org.nelumbo.executor.limit;

import java.util.function.LongSupplier;
import org.nelumbo.executor.outcome.CancellationToken;

/**
 * The limits shared by the statements of one session: the token that cancels them, and the memory
 * budget of the session, which also includes the state of the transaction. Used by one thread at a
 * time.
 */
public final class SessionLimits {
  private final CancellationToken cancellation;
  private final MemoryAccount transactionAccount;
  private final LongSupplier transactionBytes;
  private final StatementLimits transactionLimits = new StatementLimits();
  private MemoryBudget memory;
  private long statementBytes = Long.MAX_VALUE;

  /**
   * Creates the limits of a session without a memory budget.
   *
   * @param transactionBytes supplies the size of the transaction's state (writes and locks) in
   *     bytes
   */
  public SessionLimits(CancellationToken cancellation, LongSupplier transactionBytes) {
    this.cancellation = cancellation;
    this.transactionBytes = transactionBytes;
    this.transactionAccount = transactionLimits.newAccount("the transaction");
  }

  /** Sets the budget of the session, and the limit of one statement in bytes. */
  public void setMemory(MemoryBudget session, long statementLimit) {
    memory = session;
    statementBytes = statementLimit;
    transactionLimits.setMemory(session);
  }

  /** Returns the memory limit of one statement; unlimited without a budget. */
  long statementBytes() {
    return statementBytes;
  }

  /** Creates a budget for a statement; returns null if nothing is limited. */
  MemoryBudget newStatementMemory() {
    return memory == null ? null : memory.newPart("maxStatementMemory", statementBytes);
  }

  /**
   * Throws if the statement has been cancelled, or if the transaction has exceeded the session's
   * budget.
   */
  void check() {
    if (cancellation.isSet()) {
      throw cancellation.failure();
    }
    if (memory != null) {
      long bytes = transactionBytes.getAsLong();
      transactionAccount.resize(bytes + (bytes >>> 2));
    }
  }

  /** Creates an account of the session, for data that outlives a statement. */
  public MemoryAccount newAccount(String owner) {
    return transactionLimits.newAccount(owner);
  }

  /** Releases the memory of a transaction that has ended. */
  public void transactionEnded() {
    transactionAccount.close();
  }
}
