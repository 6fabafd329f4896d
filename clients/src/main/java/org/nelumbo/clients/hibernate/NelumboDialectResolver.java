package org.nelumbo.clients.hibernate;

import org.hibernate.dialect.Dialect;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolver;

/** Resolves the dialect for connections to this database; registered as a service. */
public final class NelumboDialectResolver implements DialectResolver {
  @Override
  public Dialect resolveDialect(DialectResolutionInfo info) {
    return info.getDatabaseName().equals("Nelumbo") ? new NelumboDialect(info) : null;
  }
}
