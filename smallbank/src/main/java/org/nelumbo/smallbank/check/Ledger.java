package org.nelumbo.smallbank.check;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.nelumbo.benchmark.check.CheckResult;
import org.nelumbo.benchmark.check.Conditions;
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
  private long elsewhereLow;
  private long elsewhereHigh;

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

  /** The sums of all books, at least and at most, when all terminals have ended. */
  public List<Long> sums() {
    return List.of(
        books.stream().mapToLong(Book::low).sum(), books.stream().mapToLong(Book::high).sum());
  }

  /** Adds the sums of another process's books. */
  public void add(List<Long> sums) {
    elsewhereLow += sums.get(0);
    elsewhereHigh += sums.get(1);
  }

  /** Compares, when all terminals have ended. */
  public CheckResult check(String moment) throws SQLException {
    List<Long> here = sums();
    long least = loaded + here.get(0) + elsewhereLow;
    long most = loaded + here.get(1) + elsewhereHigh;
    String query = SqlResource.load(Ledger.class, "ledger.sql").statement("all money");
    long there = Amounts.cents(Conditions.number(database, query));
    String name = "ledger: money there = loaded + committed";
    return Conditions.between(name, moment, least, most, there, "cents");
  }

  /** The conditions on the rows of so many customers, which hold at any time. */
  public static Conditions conditions(Database database, int customers, boolean compat) {
    String file = compat ? "conditions-compat.sql" : "conditions.sql";
    return new Conditions(
        database,
        SqlResource.load(Ledger.class, file),
        Map.of("customers", Integer.toString(customers)));
  }
}
