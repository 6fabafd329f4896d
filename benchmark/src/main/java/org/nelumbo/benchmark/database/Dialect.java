package org.nelumbo.benchmark.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The SQL dialect of one product, read from {@code dialect/<product>.properties}. A product without
 * a file gets {@code dialect/standard.properties}.
 *
 * <p>SQL texts mark the parts that differ: <code>${forUpdate}</code> (row locks of a query), <code>
 * ${limitOne}</code> (only the first row), and the {@code WITH (...)} options at the end of CREATE
 * TABLE, which only Nelumbo supports.
 */
public final class Dialect {
  private static final Pattern TABLE_OPTIONS =
      Pattern.compile("\\)\\s*WITH\\s*\\([^)]*\\)\\s*$", Pattern.CASE_INSENSITIVE);

  /**
   * Unique violation; foreign key violation, and its form in H2; products of the older standard.
   */
  private static final List<String> DUPLICATE_OR_ORPHAN =
      List.of("23505", "23503", "23506", "23000");

  private final Properties properties;
  private final List<Integer> conflictCodes;
  private final List<Integer> duplicateOrOrphanCodes;
  private final Map<Integer, String> errorNames;

  private Dialect(Properties properties) {
    this.properties = properties;
    this.conflictCodes = numbers("conflictCodes");
    this.duplicateOrOrphanCodes = numbers("duplicateOrOrphanCodes");
    this.errorNames =
        list("errorNames").stream()
            .map(entry -> entry.split("=", 2))
            .collect(Collectors.toMap(e -> Integer.valueOf(e[0].strip()), e -> e[1].strip()));
  }

  /** Reads the dialect of a product, by its name in {@link java.sql.DatabaseMetaData}. */
  public static Dialect ofProduct(String productName) {
    String file = productName.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    try (InputStream found = Dialect.class.getResourceAsStream("dialect/" + file + ".properties");
        InputStream in = found != null ? found : standard()) {
      Properties properties = new Properties();
      properties.load(new InputStreamReader(in, StandardCharsets.UTF_8));
      return new Dialect(properties);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream standard() {
    return Dialect.class.getResourceAsStream("dialect/standard.properties");
  }

  /** Translates an SQL text for this product. */
  public String translate(String sql) {
    String text =
        sql.replace("${forUpdate}", text("forUpdate")).replace("${limitOne}", text("limitOne"));
    return flag("tableOptions") ? text : TABLE_OPTIONS.matcher(text.strip()).replaceFirst(")");
  }

  /** Returns the JDBC constant (or a number of the product) for a level. */
  public int jdbcLevel(IsolationLevel level) {
    String own = properties.getProperty("isolation." + level.optionName());
    return own == null ? level.jdbcLevel() : Integer.parseInt(own);
  }

  /** Returns a description of the guarantees of this level in the product, for reports. */
  public String meaning(IsolationLevel level) {
    return properties.getProperty(
        "means." + level.optionName(), "as the product documents it; not verified here");
  }

  /** Returns true if the vendor's error code stands for a conflict that a retry may resolve. */
  boolean conflictCode(int vendorCode) {
    return conflictCodes.contains(vendorCode);
  }

  /**
   * Returns the meaning of the vendor's error code in a word or two, or an empty string if the
   * SQLState is sufficient.
   */
  String errorName(int vendorCode) {
    return errorNames.getOrDefault(vendorCode, "");
  }

  /**
   * Returns true if an insert failed because its key or a unique value already exists, or because a
   * referenced row is missing. Decides by SQLState, or by vendor codes for products whose SQLState
   * is less specific.
   */
  public boolean duplicateOrOrphan(SQLException error) {
    return DUPLICATE_OR_ORPHAN.contains(String.valueOf(error.getSQLState()))
        || duplicateOrOrphanCodes.contains(error.getErrorCode());
  }

  /** Returns true if {@code setReadOnly} may change between transactions of one connection. */
  public boolean switchesReadOnly() {
    return flag("switchesReadOnly");
  }

  /**
   * Returns true if several loading threads help. A product with one writer at a time loads with
   * one.
   */
  public boolean loadsInParallel() {
    return flag("loadsInParallel");
  }

  /** Returns true if the product supports FOREIGN KEY constraints in ALTER TABLE. */
  public boolean addsForeignKeys() {
    return flag("addsForeignKeys");
  }

  /** Returns true if a query for a list of complete primary keys looks up each key, and is fast. */
  public boolean findsListsByKey() {
    return flag("findsListsByKey");
  }

  /** Returns the statements to run on every new connection. */
  public List<String> onConnect() {
    return list("onConnect");
  }

  /** Returns the statements to run after the tables are loaded, such as gathering statistics. */
  public List<String> afterLoad() {
    return list("afterLoad");
  }

  /** Returns the statements that shut down an in-memory database. */
  public List<String> onShutdown() {
    return list("onShutdown");
  }

  /** Returns notes on this product for readers of the numbers. */
  public List<String> notes() {
    return list("notes");
  }

  private String text(String key) {
    return properties.getProperty(key, "");
  }

  private boolean flag(String key) {
    return Boolean.parseBoolean(text(key));
  }

  private List<Integer> numbers(String key) {
    return list(key).stream().map(Integer::valueOf).toList();
  }

  private List<String> list(String key) {
    return Arrays.stream(text(key).split(";"))
        .map(String::strip)
        .filter(s -> !s.isEmpty())
        .toList();
  }
}
