package org.nelumbo.parser.ast;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.nelumbo.parser.dialect.SqlSyntaxException;

/**
 * LIKE t in a CREATE TABLE: copies the columns of another table, and other parts of it on request.
 */
public final class LikeTable extends AstNode {
  /** Parts that can be copied besides names, types and NOT NULL. */
  public enum Part {
    COMMENTS,
    CONSTRAINTS,
    DEFAULTS,
    GENERATED,
    IDENTITY,
    INDEXES
  }

  /** Collects INCLUDING and EXCLUDING clauses, in order. */
  public static final class Parts {
    /** Parts of PostgreSQL that have no equivalent. */
    private static final Set<String> WITHOUT_MEANING =
        Set.of("STORAGE", "STATISTICS", "COMPRESSION");

    private final EnumSet<Part> included = EnumSet.noneOf(Part.class);

    /** Includes or excludes a part, or ALL of them. */
    public void set(SqlParserPos pos, String word, boolean includes) {
      String name = word.toUpperCase(Locale.ROOT);
      if (name.equals("ALL")) {
        set(EnumSet.allOf(Part.class), includes);
      } else if (!WITHOUT_MEANING.contains(name)) {
        set(EnumSet.of(part(pos, name)), includes);
      }
    }

    private static Part part(SqlParserPos pos, String name) {
      for (Part part : Part.values()) {
        if (part.name().equals(name)) {
          return part;
        }
      }
      throw SqlSyntaxException.at(
          pos, "unexpected '" + name + "'; expected ALL or one of " + List.of(Part.values()));
    }

    private void set(Set<Part> parts, boolean includes) {
      if (includes) {
        included.addAll(parts);
      } else {
        included.removeAll(parts);
      }
    }

    /** Returns the parts that are included in the end. */
    public Set<Part> included() {
      return included;
    }
  }

  private final SqlIdentifier table;
  private final Set<Part> parts;

  public LikeTable(SqlParserPos pos, SqlIdentifier table, Set<Part> parts) {
    super("LIKE", SqlKind.OTHER_DDL, pos);
    this.table = table;
    this.parts = Set.copyOf(parts);
  }

  /** Returns the other table. */
  public SqlIdentifier table() {
    return table;
  }

  /** Returns true if a part is copied. */
  public boolean includes(Part part) {
    return parts.contains(part);
  }

  @Override
  public List<SqlNode> getOperandList() {
    return children(table);
  }

  @Override
  SqlNode rebuild(SqlParserPos pos, List<SqlNode> children) {
    return new LikeTable(pos, (SqlIdentifier) children.get(0), parts);
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrec, int rightPrec) {
    Writing.clauseIf(writer, "LIKE", table);
    for (Part part : Part.values()) {
      Writing.keywordIf(writer, includes(part), "INCLUDING " + part);
    }
  }
}
