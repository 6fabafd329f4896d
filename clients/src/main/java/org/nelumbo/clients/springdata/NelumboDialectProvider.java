package org.nelumbo.clients.springdata;

import java.sql.Connection;
import java.util.Optional;
import org.springframework.data.jdbc.core.dialect.DialectResolver;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;

/** Provides the dialect for connections to this database; listed in {@code spring.factories}. */
public final class NelumboDialectProvider implements DialectResolver.JdbcDialectProvider {
  @Override
  public Optional<Dialect> getDialect(JdbcOperations operations) {
    String product =
        operations.execute(
            (ConnectionCallback<String>)
                (Connection connection) -> connection.getMetaData().getDatabaseProductName());
    return "Nelumbo".equals(product) ? Optional.of(NelumboDialect.INSTANCE) : Optional.empty();
  }
}
