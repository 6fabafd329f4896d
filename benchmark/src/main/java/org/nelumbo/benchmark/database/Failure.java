package org.nelumbo.benchmark.database;

import java.sql.SQLException;

/**
 * An error, as it is counted.
 *
 * @param kind the reaction of a benchmark
 * @param name one or two words for output, such as {@code conflict} or {@code lock timeout}
 * @param sqlState five characters, empty if the driver gave none
 * @param vendorCode error code of the product, 0 if it has none
 */
public record Failure(ErrorKind kind, String name, String sqlState, int vendorCode) {
  /** Describes the first exception of the chain that {@link ErrorKind#of} can classify. */
  public static Failure of(SQLException error, Dialect dialect) {
    SQLException telling = ErrorKind.telling(error, dialect);
    ErrorKind kind = ErrorKind.of(telling, dialect);
    String state = telling.getSQLState() == null ? "" : telling.getSQLState();
    String own = dialect.errorName(telling.getErrorCode());
    String name = own.isEmpty() ? name(state, kind) : own;
    return new Failure(kind, name, state, telling.getErrorCode());
  }

  private static String name(String state, ErrorKind kind) {
    return switch (state) {
      case "40001" -> "conflict";
      case "40P01" -> "deadlock";
      case "23505" -> "unique";
      case "23503", "23506" -> "foreign key";
      case "23502" -> "not null";
      case "23513", "23514" -> "check";
      case "53200" -> "out of memory";
      case "55P03" -> "lock not available";
      case "57014", "HYT00", "HYT01" -> "timeout";
      default ->
          switch (kind) {
            case CONFLICT -> "conflict";
            case UNKNOWN_OUTCOME -> "unknown outcome";
            case CONNECTION_LOST -> "connection lost";
            case OTHER -> state.startsWith("23") ? "constraint" : "error";
          };
    };
  }
}
