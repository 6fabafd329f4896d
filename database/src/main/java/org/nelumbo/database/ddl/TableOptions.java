package org.nelumbo.database.ddl;

import java.util.Locale;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.nelumbo.dm.layout.CvtLayout;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.parser.ast.TableOption;
import org.nelumbo.planner.type.SqlErrors;

/**
 * The options of a CREATE TABLE in {@code WITH (critical_field = 'w_id', versions = 2, ordered =
 * true, hash = false)}.
 */
final class TableOptions {
  private static final int FEWEST_VERSIONS = 2;

  private String criticalField;
  private SqlNode criticalFieldNode;
  private int versions;
  private boolean ordered = true;
  private boolean hashed = true;

  private TableOptions() {}

  static TableOptions of(SqlNodeList options, int defaultVersions) {
    TableOptions read = new TableOptions();
    read.versions = defaultVersions;
    for (SqlNode node : options) {
      read.read((TableOption) node);
    }
    for (SqlNode node : options) {
      if (!read.ordered && !read.hashed) {
        throw bad(
            (TableOption) node,
            "a table needs an index on its primary key; ordered and hash cannot both be false");
      }
    }
    return read;
  }

  private void read(TableOption option) {
    switch (ObjectNames.simple(option.name()).toUpperCase(Locale.ROOT)) {
      case "CRITICAL_FIELD" -> {
        criticalField = text(option);
        criticalFieldNode = option.value();
      }
      case "VERSIONS" -> versions = versions(option);
      case "ORDERED" -> ordered = bool(option, "ordered");
      case "HASH" -> hashed = bool(option, "hash");
      default ->
          throw bad(
              option,
              "unknown table option "
                  + option.name()
                  + "; there are critical_field, versions, ordered, hash");
    }
  }

  private static NelumboException bad(TableOption option, String message) {
    return SqlErrors.at(ErrorCode.INVALID_STATEMENT, message, option.getParserPosition());
  }

  /** Returns a column's name, written as a name or in quotes; in single quotes, case is ignored. */
  private static String text(TableOption option) {
    if (option.value() instanceof SqlIdentifier identifier) {
      return ObjectNames.simple(identifier);
    }
    return ((SqlLiteral) option.value()).toValue();
  }

  private static int versions(TableOption option) {
    try {
      int versions = Integer.parseInt(((SqlLiteral) option.value()).toValue());
      if (versions >= FEWEST_VERSIONS && versions <= CvtLayout.MAX_CELLS) {
        return versions;
      }
    } catch (RuntimeException notANumber) {
      // The error is thrown below.
    }
    throw bad(
        option,
        "option versions must be a number from " + FEWEST_VERSIONS + " to " + CvtLayout.MAX_CELLS);
  }

  private static boolean bool(TableOption option, String name) {
    String text = option.value().toString().replace("'", "").toUpperCase(Locale.ROOT);
    return switch (text) {
      case "TRUE" -> true;
      case "FALSE" -> false;
      default -> throw bad(option, "option " + name + " must be true or false");
    };
  }

  /** Returns the name of the critical field as written, or null if it is absent. */
  String criticalField() {
    return criticalField;
  }

  SqlNode criticalFieldNode() {
    return criticalFieldNode;
  }

  int versions() {
    return versions;
  }

  boolean ordered() {
    return ordered;
  }

  /** Returns true if the table has a hash index. */
  boolean hashed() {
    return hashed;
  }
}
