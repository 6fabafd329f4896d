package org.nelumbo.benchmark.database;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JDBC URL, with what a benchmark must know about it before it connects.
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

  /** Whether the database lives in this process and ends with it. */
  public boolean inMemory() {
    return IN_MEMORY.matcher(text).matches();
  }

  /** Whether two connections with this URL would see different databases (SQLite in memory). */
  public boolean privateToConnection() {
    return text.equals("jdbc:sqlite:") || text.startsWith("jdbc:sqlite::memory:");
  }

  /**
   * Whether several processes can open the database at a time, as far as the URL tells: it names a
   * host, or shared files of ours.
   */
  public boolean isForSeveralProcesses() {
    return text.contains("//") || text.startsWith("jdbc:nelumbo:shm:");
  }

  /** Whether the URL names our own driver. */
  public boolean nelumbo() {
    return text.startsWith("jdbc:nelumbo:");
  }

  /** Whether it says otherwise than a statement that sets a property: {@code PRAGMA a=b}. */
  public boolean overrides(String statement) {
    Matcher pragma = PRAGMA.matcher(statement);
    return pragma.matches() && text.matches(".*[?&]" + pragma.group(1) + "=.*");
  }

  /** The word that names the product: {@code h2} of {@code jdbc:h2:mem:x}. */
  public String product() {
    String[] parts = text.split(":", 3);
    return parts.length > 1 ? parts[1] : text;
  }

  /**
   * The URL of a database to load: an in-memory name gets the suffix, so that nobody has used it
   * yet (an empty one would be private to one connection). On memory nodes of ours a pool may be
   * made; any other URL stays as it is.
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

  /** The URL without passwords, for people and files to read. */
  public String masked() {
    String masked = SECRET.matcher(text).replaceAll("$1***");
    return AUTHORITY.matcher(masked).replaceAll("$1:***@");
  }

  @Override
  public String toString() {
    return masked();
  }
}
