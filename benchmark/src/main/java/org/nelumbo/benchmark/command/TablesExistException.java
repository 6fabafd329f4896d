package org.nelumbo.benchmark.command;

import java.sql.SQLException;
import java.util.List;

/**
 * Thrown if the database already has tables with the benchmark's names and may not replace them.
 */
final class TablesExistException extends SQLException {
  private static final long serialVersionUID = 1L;

  TablesExistException(List<String> tables) {
    super("the database already has tables " + tables + "; drop them with --replace", "42S01");
  }
}
