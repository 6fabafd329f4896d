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
 * Compares the money in the bank with the loaded money and the commits that the terminals counted:
 * no committed transaction may be missing, appear twice, or appear in part. A transaction whose
 * outcome is unknown may or may not have an effect. Any thread may open a book.
 */
public final class Ledger {
  private final Database database;
  private final Queue<Book> books = new ConcurrentLinkedQueue<>();
  private long loaded;
  private long elsewhereLow;
  private long elsewhereHigh;

  public Ledger(Database database) {
    this.database = database;
  }

  /** Sets the loaded money in cents. */
  public void loaded(long cents) {
    loaded = cents;
  }

  /** Opens a book for one terminal. */
  public Book openBook() {
    Book book = new Book();
    books.add(book);
    return book;
  }

  /**
   * Returns the lower and upper bound of the sum of all books. Call it after all terminals have
   * ended.
   */
  public List<Long> sums() {
    return List.of(
        books.stream().mapToLong(Book::low).sum(), books.stream().mapToLong(Book::high).sum());
  }

  /** Adds the sums of another process's books. */
  public void add(List<Long> sums) {
    elsewhereLow += sums.get(0);
    elsewhereHigh += sums.get(1);
  }

  /** Compares the money with the sums. Call it after all terminals have ended. */
  public CheckResult check(String moment) throws SQLException {
    List<Long> here = sums();
    long least = loaded + here.get(0) + elsewhereLow;
    long most = loaded + here.get(1) + elsewhereHigh;
    String query = SqlResource.load(Ledger.class, "ledger.sql").statement("all money");
    long there = Amounts.cents(Conditions.number(database, query));
    String name = "ledger: money there = loaded + committed";
    return Conditions.between(name, moment, least, most, there, "cents");
  }

  /** Returns the conditions on the rows of this number of customers, which hold at any time. */
  public static Conditions conditions(Database database, int customers, boolean compat) {
    String file = compat ? "conditions-compat.sql" : "conditions.sql";
    return new Conditions(
        database,
        SqlResource.load(Ledger.class, file),
        Map.of("customers", Integer.toString(customers)));
  }
}
