package org.nelumbo.smallbank.terminal;

import java.sql.SQLException;
import org.nelumbo.benchmark.database.Dialect;
import org.nelumbo.benchmark.database.ErrorKind;
import org.nelumbo.benchmark.run.Outcome;
import org.nelumbo.benchmark.terminal.TerminalTransaction;

/** A transaction that records in a book how another transaction changed the money in the bank. */
public final class BookedTransaction implements TerminalTransaction {
  private final SmallBankTransaction transaction;
  private final Book book;
  private final Dialect dialect;

  /**
   * Creates a transaction with a book.
   *
   * @param dialect dialect that identifies errors with an unknown outcome
   */
  public BookedTransaction(SmallBankTransaction transaction, Book book, Dialect dialect) {
    this.transaction = transaction;
    this.book = book;
    this.dialect = dialect;
  }

  @Override
  public void draw() {
    transaction.draw();
  }

  @Override
  public Outcome execute() throws SQLException {
    try {
      Outcome outcome = transaction.execute();
      if (outcome == Outcome.COMMITTED) {
        book.committed(transaction.broughtIn());
      }
      return outcome;
    } catch (SQLException e) {
      if (ErrorKind.of(e, dialect) == ErrorKind.UNKNOWN_OUTCOME) {
        book.unknown(transaction.broughtIn());
      }
      throw e;
    }
  }
}
