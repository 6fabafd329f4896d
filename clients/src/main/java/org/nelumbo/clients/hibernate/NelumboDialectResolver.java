package org.nelumbo.clients.hibernate;

import org.hibernate.Version;
import org.hibernate.dialect.Dialect;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolutionInfo;
import org.hibernate.engine.jdbc.dialect.spi.DialectResolver;

/**
 * Gives Hibernate 7 the dialect for connections to this database; registered as a service.
 * Hibernate 6 has another one, in a jar of its own that is compiled with it.
 */
public final class NelumboDialectResolver implements DialectResolver {
  @Override
  public Dialect resolveDialect(DialectResolutionInfo info) {
    if (Version.getVersionString().startsWith("6.")) {
      return null;
    }
    return info.getDatabaseName().equals("Nelumbo") ? new NelumboDialect(info) : null;
  }
}
