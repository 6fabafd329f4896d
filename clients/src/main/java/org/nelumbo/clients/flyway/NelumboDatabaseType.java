package org.nelumbo.clients.flyway;

import java.sql.Connection;
import java.sql.Types;
import org.flywaydb.core.api.ResourceProvider;
import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.internal.database.base.BaseDatabaseType;
import org.flywaydb.core.internal.database.base.Database;
import org.flywaydb.core.internal.jdbc.JdbcConnectionFactory;
import org.flywaydb.core.internal.jdbc.StatementInterceptor;
import org.flywaydb.core.internal.parser.Parser;
import org.flywaydb.core.internal.parser.ParsingContext;

/** Recognizes connections to this database for Flyway; registered as a service. */
public final class NelumboDatabaseType extends BaseDatabaseType {
  @Override
  public String getName() {
    return "Nelumbo";
  }

  @Override
  public int getNullType() {
    return Types.VARCHAR;
  }

  @Override
  public boolean handlesJDBCUrl(String url) {
    return url.startsWith("jdbc:nelumbo:");
  }

  @Override
  public String getDriverClass(String url, ClassLoader classLoader) {
    return "org.nelumbo.jdbc.NelumboDriver";
  }

  @Override
  public boolean handlesDatabaseProductNameAndVersion(
      String productName, String productVersion, Connection connection) {
    return productName.startsWith(getName());
  }

  @Override
  public Database<?> createDatabase(
      Configuration configuration,
      JdbcConnectionFactory connections,
      StatementInterceptor interceptor) {
    return new FlywayDatabase(configuration, connections, interceptor);
  }

  @Override
  public Parser createParser(
      Configuration configuration, ResourceProvider resources, ParsingContext context) {
    return new FlywayParser(configuration, context);
  }
}
