package org.nelumbo.executor.limit;

import java.util.function.LongSupplier;
import org.nelumbo.executor.outcome.CancellationToken;

/**
 * The limits that the statements of one session have in common: the token that stops them, and the
 * budget of the session, from which the transaction's own state is paid as well. One thread at a
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
   * The limits of a session that has no memory budget yet.
   *
   * @param transactionBytes what the state of the transaction takes: its writes and locks
   */
  public SessionLimits(CancellationToken cancellation, LongSupplier transactionBytes) {
    this.cancellation = cancellation;
    this.transactionBytes = transactionBytes;
    this.transactionAccount = transactionLimits.newAccount("the transaction");
  }

  /** Sets the budget of the session, and how much of it one statement may have. */
  public void setMemory(MemoryBudget session, long statementLimit) {
    memory = session;
    statementBytes = statementLimit;
    transactionLimits.setMemory(session);
  }

  /** The most that one statement may have; unlimited without a budget. */
  long statementBytes() {
    return statementBytes;
  }

  /** A new budget for a statement; null if nothing is limited. */
  MemoryBudget newStatementMemory() {
    return memory == null ? null : memory.newPart("maxStatementMemory", statementBytes);
  }

  /**
   * Throws if the statement is to stop, or if the transaction has outgrown the session's budget.
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

  /** An account of the session, for what outlives a statement. */
  public MemoryAccount newAccount(String owner) {
    return transactionLimits.newAccount(owner);
  }

  /** The transaction has ended, and what it held in memory is gone. */
  public void transactionEnded() {
    transactionAccount.close();
  }
}
