package org.nelumbo.clients.hibernate6;

import org.hibernate.dialect.Dialect;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolver;

/** Gives Hibernate 6 the dialect for connections to this database; registered as a service. */
public final class Nelumbo6DialectResolver implements DialectResolver {
  @Override
  public Dialect resolveDialect(DialectResolutionInfo info) {
    return info.getDatabaseName().equals("Nelumbo") ? new Nelumbo6Dialect(info) : null;
  }
}
