package org.nelumbo.clients.flyway;

import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.internal.parser.Parser;
import org.flywaydb.core.internal.parser.ParsingContext;

/** Splits migrations into statements, according to the SQL standard. */
final class FlywayParser extends Parser {
  /** Number of tokens that Flyway looks ahead. */
  private static final int PEEK = 3;

  FlywayParser(Configuration configuration, ParsingContext context) {
    super(configuration, context, PEEK);
  }
}
