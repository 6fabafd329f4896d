package org.nelumbo.benchmark.database;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JDBC URL, and the properties that a benchmark must derive from it before it connects.
 *
 * @param text the URL as the user wrote it
 */
public record DatabaseUrl(String text) {
  private static final Pattern IN_MEMORY = Pattern.compile("(jdbc:[a-z0-9]+:mem:)([^;?]*)(.*)");
  private static final Pattern CREATE = Pattern.compile("(?i)[?&;]create=");
  private static final Pattern SECRET =
      Pattern.compile("(?i)((?:password|passwd|pwd|secret|token)[a-z]*=)[^&;]*");
  private static final Pattern PRAGMA = Pattern.compile("PRAGMA (\\w+)=.*");
  private static final Pattern AUTHORITY = Pattern.compile("(//[^/@:]*):[^/@]*@");

  /** Returns true if the database is in the memory of this process and ends with it. */
  public boolean inMemory() {
    return IN_MEMORY.matcher(text).matches();
  }

  /**
   * Returns true if two connections with this URL would see different databases (SQLite in memory).
   */
  public boolean privateToConnection() {
    return text.equals("jdbc:sqlite:") || text.startsWith("jdbc:sqlite::memory:");
  }

  /**
   * Returns true if several processes can open the database at a time, as far as the URL shows: it
   * names a host, or shared files of Nelumbo.
   */
  public boolean isForSeveralProcesses() {
    return text.contains("//") || text.startsWith("jdbc:nelumbo:shm:");
  }

  /** Returns true if the URL names the driver of Nelumbo. */
  public boolean nelumbo() {
    return text.startsWith("jdbc:nelumbo:");
  }

  /** Returns true if the URL sets the property that a statement {@code PRAGMA a=b} would set. */
  public boolean overrides(String statement) {
    Matcher pragma = PRAGMA.matcher(statement);
    return pragma.matches() && text.matches(".*[?&]" + pragma.group(1) + "=.*");
  }

  /** Returns the word that names the product: {@code h2} of {@code jdbc:h2:mem:x}. */
  public String product() {
    String[] parts = text.split(":", 3);
    return parts.length > 1 ? parts[1] : text;
  }

  /**
   * Returns the URL of a database to load. An in-memory name gets the suffix, so that it is unused
   * (an empty name would be private to one connection). A URL of Nelumbo that names a host gets
   * {@code create=true}, unless it has a {@code create} option. Any other URL stays as it is.
   */
  public DatabaseUrl fresh(String suffix) {
    Matcher matcher = IN_MEMORY.matcher(text);
    if (!matcher.matches()) {
      boolean isSaid = CREATE.matcher(text).find();
      return nelumbo() && text.contains("//") && !isSaid
          ? new DatabaseUrl(text + (text.contains("?") ? "&" : "?") + "create=true")
          : this;
    }
    String name = matcher.group(2).isEmpty() ? "bench" : matcher.group(2);
    return new DatabaseUrl(matcher.group(1) + name + "_" + suffix + matcher.group(3));
  }

  /** Returns the URL without passwords, for output and files. */
  public String masked() {
    String masked = SECRET.matcher(text).replaceAll("$1***");
    return AUTHORITY.matcher(masked).replaceAll("$1:***@");
  }

  @Override
  public String toString() {
    return masked();
  }
}
