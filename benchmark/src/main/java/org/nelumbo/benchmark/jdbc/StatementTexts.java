package org.nelumbo.benchmark.jdbc;

import java.util.List;
import java.util.Locale;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.Dialect;
import org.nelumbo.benchmark.database.SqlResource;

/**
 * The SQL of a benchmark's transactions for one product: {@code statements.sql}, unless {@code
 * statements-<product>.sql} says it differently. Immutable; shared by all terminals.
 */
public final class StatementTexts {
  private final String product;
  private final Dialect dialect;
  private final SqlResource common;
  private final SqlResource own;

  /** The texts that lie beside a class, for the product of this database. */
  public StatementTexts(Database database, Class<?> beside) {
    this.product = database.productName();
    this.dialect = database.dialect();
    this.common = SqlResource.load(beside, "statements.sql");
    String file = product.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    String ownFile = "statements-" + file + ".sql";
    this.own = beside.getResource(ownFile) == null ? null : SqlResource.load(beside, ownFile);
  }

  /** The statement of that name. */
  public String of(String name) {
    boolean differs = own != null && own.names().contains(name);
    return dialect.translate((differs ? own : common).statement(name));
  }

  /** What a report must say: which statements have a form of their own for this product. */
  public List<String> remarks() {
    return own == null
        ? List.of()
        : List.of("statements in a form that " + product + " runs faster: " + own.names());
  }

  Dialect dialect() {
    return dialect;
  }
}
