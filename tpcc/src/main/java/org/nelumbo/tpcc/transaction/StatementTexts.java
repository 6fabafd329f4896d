package org.nelumbo.tpcc.transaction;

import java.util.List;
import java.util.Locale;
import org.nelumbo.benchmark.database.Database;
import org.nelumbo.benchmark.database.Dialect;
import org.nelumbo.benchmark.database.SqlResource;

/**
 * The SQL of the transactions for one product: {@code statements.sql}, unless {@code
 * statements-<product>.sql} says it differently. Immutable; shared by all terminals.
 */
public final class StatementTexts {
  private final Dialect dialect;
  private final SqlResource common;
  private final SqlResource own;

  /** The texts for the product of this database. */
  public StatementTexts(Database database) {
    String product = database.productName().toLowerCase(Locale.ROOT);
    String ownFile = "statements-" + product.replaceAll("[^a-z0-9]+", "-") + ".sql";
    this.dialect = database.dialect();
    this.common = SqlResource.load(StatementTexts.class, "statements.sql");
    this.own =
        StatementTexts.class.getResource(ownFile) == null
            ? null
            : SqlResource.load(StatementTexts.class, ownFile);
  }

  String of(String name) {
    boolean differs = own != null && own.names().contains(name);
    return dialect.translate((differs ? own : common).statement(name));
  }

  /** The names of the statements that have a form of their own for this product. */
  public List<String> own() {
    return own == null ? List.of() : own.names();
  }

  Dialect dialect() {
    return dialect;
  }
}
