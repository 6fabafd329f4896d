package org.nelumbo.benchmark.jdbc;

import java.util.List;
import java.util.Locale;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.Dialect;
import org.nelumbo.benchmark.database.SqlResource;

/**
 * The SQL of a benchmark's transactions for one product: {@code statements.sql}, overridden by
 * {@code statements-<product>.sql}. Immutable; shared by all terminals.
 */
public final class StatementTexts {
  private final String product;
  private final Dialect dialect;
  private final SqlResource common;
  private final SqlResource own;

  /** Reads the texts in the package of a class, for the product of this database. */
  public StatementTexts(Database database, Class<?> beside) {
    this.product = database.productName();
    this.dialect = database.dialect();
    this.common = SqlResource.load(beside, "statements.sql");
    String file = product.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String ownFile = "statements-" + file + ".sql";
    this.own = beside.getResource(ownFile) == null ? null : SqlResource.load(beside, ownFile);
  }

  /** Returns the statement with this name. */
  public String of(String name) {
    boolean differs = own != null && own.names().contains(name);
    return dialect.translate((differs ? own : common).statement(name));
  }

  /** Returns a remark that lists the statements with a special form for this product. */
  public List<String> remarks() {
    return own == null
        ? List.of()
        : List.of("statements in a form that " + product + " runs faster: " + own.names());
  }

  Dialect dialect() {
    return dialect;
  }
}
