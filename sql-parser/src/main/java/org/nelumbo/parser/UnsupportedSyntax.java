package org.nelumbo.parser;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** SQL of other databases that is not in our grammar, and what to write instead. */
final class UnsupportedSyntax {
  private static final Pattern COMMENTS = Pattern.compile("--[^\\n]*|(?s:/\\*.*?\\*/)");
  private static final Pattern QUOTED = Pattern.compile("'[^']*'|\"[^\"]*\"");
  private static final Pattern SPACE = Pattern.compile("\\s+");

  private static final List<Rule> RULES = new ArrayList<>();

  static {
    add("^(GRANT|REVOKE|(CREATE|ALTER|DROP) (USER|ROLE))\\b", "there are no users and roles");
    add("^CREATE UNLOGGED TABLE\\b", "there are no unlogged tables; leave the word out");
    add(
        "^CREATE (OR REPLACE )?(FUNCTION|PROCEDURE|TRIGGER|AGGREGATE|RULE)\\b|^DO\\b",
        "the database runs no code; run it in the program, or use DEFAULT, CHECK and foreign keys");
    add(
        "^(CREATE|REFRESH) MATERIALIZED VIEW\\b",
        "there are no materialized views; use CREATE TABLE ... AS, or a view");
    add("^(CREATE|DROP) (TYPE|DOMAIN)\\b", "there are no types of your own; use CHECK");
    add("^(CREATE|DROP|ALTER) DATABASE\\b", "a database is a pool; name it in the JDBC URL");
    add("^(CREATE|DROP) EXTENSION\\b", "there are no extensions; leave it out");
    add(
        "^COMMENT ON\\b",
        "comments are kept of tables, views, columns, indexes, constraints, sequences and schemas;"
            + " leave others out");
    add("^(COPY|LOAD DATA)\\b", "use INSERT, with addBatch and executeBatch for many rows");
    add("^LOCK( TABLES?)?\\b", "use SELECT ... FOR UPDATE, or transactions that are SERIALIZABLE");
    add(
        "^(VACUUM|REINDEX|CLUSTER|CHECKPOINT|OPTIMIZE|REPAIR)\\b",
        "tables need no maintenance; leave it out");
    add("^USE\\b", "use SET SCHEMA");
    add(
        "^SHOW\\b",
        "write SHOW name or SHOW ALL, TABLES, VIEWS, SEQUENCES, SCHEMAS, COLUMNS FROM t, INDEXES FROM"
            + " t");
    add("^(PREPARE|EXECUTE|DEALLOCATE)\\b", "use prepareStatement of JDBC");
    add("^(DECLARE|FETCH|MOVE|CLOSE|OPEN)\\b", "use the ResultSet of JDBC, with setFetchSize");
    add("^(LISTEN|NOTIFY|UNLISTEN)\\b", "there are no notifications; ask for new rows");
    add("^SET NAMES\\b", "texts are UTF-8; leave it out");
    add("^ALTER SCHEMA \\S+ RENAME\\b", "create another schema, and CREATE TABLE ... AS there");
    add(
        "^(CREATE|ALTER) TABLE .* AS \\(\\(?SELECT\\b",
        "a generated column is computed without queries; use a view");
    add("^CREATE (UNIQUE )?INDEX .*\\) INCLUDE\\b", "name these columns as the last of the index");
    add("^CREATE (UNIQUE )?INDEX .* USING\\b", "an index is a BTREE; leave USING out");
    add("^SELECT [^(]* INTO\\b", "use CREATE TABLE ... AS SELECT ...");
    add(
        "^(CREATE|ALTER) TABLE .*(?<!NOT )\\bDEFERRABLE\\b",
        "constraints are checked by each statement; leave DEFERRABLE out");
    add(
        "^(CREATE|ALTER) TABLE .*\\bNULLS NOT DISTINCT\\b",
        "UNIQUE takes any number of NULLs; make the column NOT NULL");
    add("^CREATE TABLE [^(]*\\(? ?LIKE\\b", "use CREATE TABLE ... AS TABLE t WITH NO DATA");
    add("^ALTER TABLE .* MODIFY\\b", "use ALTER COLUMN c SET DATA TYPE ...");
    add("^ALTER TABLE .* OWNER TO\\b", "there are no users and roles");
    add("^ALTER TABLE .* SET SCHEMA\\b", "use CREATE TABLE ... AS in the other schema");
    add("^ALTER TABLE .* TYPE .* USING\\b", "add a column, UPDATE it, and drop the old one");
    add("\\bSELECT TOP\\b", "use LIMIT");
    add("\\bFOR UPDATE .*\\bWAIT\\b", "use NOWAIT, or lockTimeout of the connection");
  }

  /** What is unsupported shows at the beginning of a text. */
  private static final int SEEN = 4_000;

  private record Rule(Pattern pattern, String advice) {}

  private UnsupportedSyntax() {}

  private static void add(String pattern, String advice) {
    RULES.add(new Rule(Pattern.compile(pattern), advice));
  }

  /** What to write instead of what is in a text that is not in our grammar; null if untold. */
  static String advice(String sql) {
    String seen = sql.substring(0, Math.min(sql.length(), SEEN));
    String plain = COMMENTS.matcher(QUOTED.matcher(seen).replaceAll("''")).replaceAll(" ");
    String words = SPACE.matcher(plain).replaceAll(" ").strip().toUpperCase(Locale.ROOT);
    for (Rule rule : RULES) {
      if (rule.pattern.matcher(words).find()) {
        return rule.advice;
      }
    }
    return null;
  }
}
