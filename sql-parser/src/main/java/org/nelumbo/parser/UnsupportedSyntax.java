package org.nelumbo.parser;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Syntax of other databases that the grammar does not support, with alternatives. */
final class UnsupportedSyntax {
  private static final Pattern COMMENTS = Pattern.compile("--[^\\n]*|(?s:/\\*.*?\\*/)");
  private static final Pattern QUOTED = Pattern.compile("'[^']*'|\"[^\"]*\"");
  private static final Pattern SPACE = Pattern.compile("\\s+");

  private static final String NO_USERS =
      "there are no users and privileges yet: every connection may read and change"
          + " everything; restrict connections by a secret, TLS or the network";

  private static final List<Rule> RULES = new ArrayList<>();

  static {
    add(
        "^ALTER TABLE .* (ENABLE|DISABLE|FORCE|NO FORCE) ROW LEVEL"
            + " SECURITY\\b|^(GRANT|REVOKE|(CREATE|ALTER|DROP) (USER|ROLE|GROUP|POLICY)|REASSIGN"
            + " OWNED|DROP OWNED|SECURITY LABEL|SET (LOCAL |SESSION )?(ROLE|AUTHORIZATION|SESSION"
            + " AUTHORIZATION)|ALTER DEFAULT PRIVILEGES)\\b|^CREATE SCHEMA .*\\bAUTHORIZATION\\b",
        NO_USERS);
    add(
        "^(CREATE|ALTER|DROP) (OR REPLACE )?(CONSTRAINT |EVENT"
            + " )?(FUNCTION|PROCEDURE|ROUTINE|TRIGGER"
            + "|AGGREGATE|RULE|ALIAS|LANGUAGE|OPERATOR|CAST|TRANSFORM)\\b|^DO\\b",
        "the database runs no code; run it in the program, or use DEFAULT, CHECK and foreign keys");
    add(
        "^(CREATE|REFRESH|DROP|ALTER) MATERIALIZED VIEW\\b",
        "there are no materialized views; use CREATE TABLE ... AS, or a view");
    add("^(CREATE|DROP|ALTER) (TYPE|DOMAIN)\\b", "there are no types of your own; use CHECK");
    add("^(CREATE|DROP|ALTER) DATABASE\\b", "a database is a pool; name it in the JDBC URL");
    add("^(CREATE|DROP|ALTER) EXTENSION\\b|^LOAD ''", "there are no extensions; leave it out");
    add(
        "^COMMENT ON\\b",
        "comments are stored for tables, views, columns, indexes, constraints, sequences"
            + " and schemas; omit others");
    add("^(COPY|LOAD DATA)\\b", "use INSERT, with addBatch and executeBatch for many rows");
    add("^LOCK( TABLES?)?\\b", "use SELECT ... FOR UPDATE, or transactions that are SERIALIZABLE");
    add(
        "^(VACUUM|REINDEX|CLUSTER|CHECKPOINT|OPTIMIZE|REPAIR)\\b",
        "tables need no maintenance; leave it out");
    add(
        "^CREATE (OR REPLACE )?(LOCAL |GLOBAL )?TEMP(ORARY)? (RECURSIVE )?VIEW\\b",
        "there are no temporary views; use WITH, or CREATE VIEW");
    add(
        "^CREATE (LOCAL |GLOBAL )?TEMP(ORARY)? SEQUENCE\\b",
        "there are no temporary sequences; use CREATE SEQUENCE");
    add("^CREATE (OR REPLACE )?RECURSIVE VIEW\\b", "write CREATE VIEW ... AS WITH RECURSIVE ...");
    add(
        "^CREATE (OR REPLACE )?VIEW .*\\bCHECK OPTION\\b",
        "a view checks nothing; put a CHECK on the table, and leave it out");
    add(
        "^(CREATE|DROP|ALTER) (COLLATION|CONVERSION|TEXT SEARCH|STATISTICS|ACCESS METHOD)\\b",
        "strings are ordered by their characters; leave it out");
    add(
        "^(CREATE|DROP|ALTER|IMPORT) (FOREIGN|SERVER|TABLESPACE|PUBLICATION|SUBSCRIPTION)\\b",
        "all tables are in the pool; leave it out");
    add(
        "^CREATE TABLE .*\\bPARTITION (BY|OF)\\b|^ALTER TABLE .* (ATTACH|DETACH) PARTITION\\b",
        "tables are divided among memory nodes by critical_field; leave it out");
    add("^CREATE TABLE .*\\) INHERITS\\b|\\bFROM ONLY\\b", "no table inherits; leave it out");
    add("^CREATE TABLE .*\\bEXCLUDE (USING|\\()", "use UNIQUE, or SELECT ... FOR UPDATE first");
    add("^CREATE TABLE [^(]*\\( ?\\)", "a table has at least one column");
    add(
        "^ALTER TABLE .* (ENABLE|DISABLE|VALIDATE|CLUSTER|INHERIT|REPLICA|SET \\(|RESET \\(|SET"
            + " (LOGGED|UNLOGGED|TABLESPACE|WITHOUT|STATISTICS|STORAGE))",
        "tables have no such property; leave it out");
    add(
        "^(PREPARE TRANSACTION|(COMMIT|ROLLBACK) PREPARED)\\b",
        "no transaction outlives its session; use COMMIT");
    add("^SET CONSTRAINTS\\b", "constraints are checked by each statement; leave it out");
    add("^SCRIPT\\b", "use BACKUP TO, or nelumbo backup");
    add(
        "^SHOW\\b",
        "write SHOW name or SHOW ALL, TABLES, VIEWS, SEQUENCES, SCHEMAS, COLUMNS FROM t, INDEXES"
            + " FROM t");
    add("^(PREPARE|EXECUTE|DEALLOCATE)\\b", "use prepareStatement of JDBC");
    add("^(DECLARE|FETCH|MOVE|CLOSE|OPEN)\\b", "use the ResultSet of JDBC, with setFetchSize");
    add("^(LISTEN|NOTIFY|UNLISTEN)\\b", "there are no notifications; poll for new rows");
    add(
        "^(CREATE|ALTER) TABLE .* AS \\(\\(?SELECT\\b",
        "a generated column is computed without queries; use a view");
    add(
        "^CREATE UNIQUE INDEX .*\\) INCLUDE\\b",
        "a unique index has its key only; leave INCLUDE out, or create another index");
    add(
        "^CREATE (TABLE|UNIQUE INDEX|INDEX) .*\\bTABLESPACE\\b",
        "all tables are in the pool; leave TABLESPACE out");
    add("^CREATE (UNIQUE )?INDEX .*\\) WITH ?\\(", "an index has no options; leave WITH out");
    add(
        "^CREATE (FULLTEXT|SPATIAL)\\b|^CREATE (UNIQUE )?INDEX .* USING (GIN|GIST|SPGIST|RTREE)\\b",
        "indexes find values and ranges, not words or locations; store such data in"
            + " another system");
    add("^CREATE (UNIQUE )?INDEX .* USING (?!BTREE|HASH)", "an index is a BTREE; leave USING out");
    add(
        "^CREATE SCHEMA \\S+ CREATE\\b",
        "CREATE SCHEMA creates only a schema; create its objects with separate statements");
    add(
        "^ALTER TABLE .* NOT VALID$",
        "existing rows must satisfy a constraint; leave NOT VALID out");
    add(
        "^ALTER TABLE .* (UNIQUE|PRIMARY KEY) USING INDEX\\b",
        "a key creates its index; write its columns, and drop the other index");
    add(
        "^ALTER SYSTEM\\b",
        "the settings of a database are in its JDBC URL; use SET for a session");
    add(
        "\\bFOR (NO KEY UPDATE|KEY SHARE|UPDATE|SHARE)\\b.* (LIMIT|OFFSET|FETCH)\\b",
        "write LIMIT before FOR UPDATE");
    add("\\bLIMIT NULL\\b", "leave LIMIT NULL out");
    add("^SET (LOCAL |SESSION )?TIME ZONE INTERVAL\\b", "write SET TIME ZONE '+02:00'");
    add("\\w+ ?~~", "write LIKE, or ILIKE");
    add("^SELECT [^(]* INTO\\b", "use CREATE TABLE ... AS SELECT ...");
    add(
        "^(CREATE|ALTER) TABLE .*(?<!NOT )\\bDEFERRABLE\\b",
        "constraints are checked by each statement; leave DEFERRABLE out");
    add(
        "^(CREATE|ALTER) (TABLE|UNIQUE INDEX|UNIQUE NULLS) .*\\bNOT DISTINCT\\b",
        "UNIQUE takes any number of NULLs; make the column NOT NULL");
    add("^CREATE TABLE [^(]* LIKE\\b", "write CREATE TABLE a (LIKE b INCLUDING ALL)");
    add("^ALTER TABLE .* (AFTER|BEFORE|FIRST)\\b", "a new column is the last one; leave it out");
    add("^ALTER SCHEMA \\S+ RENAME\\b", "create another schema, and CREATE TABLE ... AS there");
    add("^ALTER TABLE .* SET SCHEMA\\b", "use CREATE TABLE ... AS in the other schema");
    add("^ALTER TABLE .* TYPE .* USING\\b", "add a column, UPDATE it, and drop the old one");
    add("^ALTER \\w+ .* OWNER TO\\b", NO_USERS);
    add("\\bSELECT (DISTINCT )?(TOP|LIMIT)\\b", "write LIMIT at the end of the query");
    add(
        "^WITH .*\\( ?(INSERT|UPDATE|DELETE|MERGE)\\b",
        "queries of WITH change nothing; run the change by itself, with RETURNING");
    add("\\bTABLE ?\\( ?\\w+ \\w+ ?=", "write (VALUES (1), (2)) AS t (a)");
    add("\\w+ ?(\\[ ?\\d* ?\\])+|\\bARRAY\\b", "there are no arrays; keep the values in a table");
    add(
        "\\bON UPDATE (CURRENT_TIMESTAMP|NOW|LOCALTIMESTAMP)\\b",
        "no column changes by itself; set it in the UPDATE");
    add(
        "^(CREATE|ALTER) TABLE .* (KEY|INDEX)( \\S+)? ?\\( ?[^)]*\\(\\d+\\)",
        "a key has whole columns; for the first characters create an index afterwards:"
            + " CREATE INDEX i ON t (c(20))");
    add("\\bFULLTEXT\\b", "indexes find values and ranges, not words; leave it out");
    add(
        "^DELIMITER\\b",
        "DELIMITER is a command of the mysql client; separate statements by semicolons");
    add("\\bENUM ?\\(", "there are no enumerations; use VARCHAR with CHECK (c IN ('a', 'b'))");
    add("->>?|#>>?|@>|<@|\\?\\|", "there is no JSON; keep it as VARCHAR");
    add("\\$\\$", "write texts as 'text', with two quotes for one");
    add(
        "\\b(VARCHAR_IGNORECASE|CITEXT)\\b",
        "use VARCHAR, and compare LOWER(c), which an index may be on");
    add("\\bFOR UPDATE .*\\bWAIT\\b", "use NOWAIT, or lockTimeout of the connection");
  }

  /**
   * Number of characters that are examined, because unsupported syntax occurs near the beginning of
   * a text.
   */
  private static final int SEEN = 4_000;

  private record Rule(Pattern pattern, String advice) {}

  private UnsupportedSyntax() {}

  private static void add(String pattern, String advice) {
    RULES.add(new Rule(Pattern.compile(pattern), advice));
  }

  /** Returns the alternative to unsupported syntax in a text, or null if none is known. */
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
