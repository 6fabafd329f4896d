package org.nelumbo.smallbank.check;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.SqlResource;
import org.nelumbo.smallbank.terminal.Amounts;
import org.nelumbo.smallbank.terminal.Book;

/**
 * Compares the money in the bank with what was loaded and what the terminals were told has
 * committed: no committed transaction may be missing or be there twice, none may be there half.
 * Those of unknown outcome may or may not be there. Books may be opened by any thread.
 */
public final class Ledger {
  private final Database database;
  private final Queue<Book> books = new ConcurrentLinkedQueue<>();
  private long loaded;

  /** A ledger without books. */
  public Ledger(Database database) {
    this.database = database;
  }

  /** So many cents were loaded. */
  public void loaded(long cents) {
    loaded = cents;
  }

  /** A book for one terminal. */
  public Book openBook() {
    Book book = new Book();
    books.add(book);
    return book;
  }

  /** Compares, when all terminals have ended. */
  public CheckResult check(String moment) throws SQLException {
    long least = loaded + books.stream().mapToLong(Book::low).sum();
    long most = loaded + books.stream().mapToLong(Book::high).sum();
    long there = there();
    String name = "ledger: money there = loaded + committed";
    return there >= least && there <= most
        ? CheckResult.passed(name, moment)
        : CheckResult.failed(
            name, moment, "least=" + least + " most=" + most + " there=" + there + " cents");
  }

  private long there() throws SQLException {
    String query = SqlResource.load(Ledger.class, "ledger.sql").statement("all money");
    try (Connection connection = database.connectToRead();
        Statement statement = connection.createStatement()) {
      long result;
      try (ResultSet row = statement.executeQuery(query)) {
        row.next();
        result = Amounts.cents(row.getBigDecimal(1));
      }
      connection.rollback();
      return result;
    }
  }
}
