package org.nelumbo.clients.flyway;

import org.flywaydb.core.api.configuration.Configuration;
import org.flywaydb.core.internal.parser.Parser;
import org.flywaydb.core.internal.parser.ParsingContext;

/** Cuts migrations into statements: as the SQL standard has it. */
final class FlywayParser extends Parser {
  /** How many tokens Flyway looks ahead. */
  private static final int PEEK = 3;

  FlywayParser(Configuration configuration, ParsingContext context) {
    super(configuration, context, PEEK);
  }
}
