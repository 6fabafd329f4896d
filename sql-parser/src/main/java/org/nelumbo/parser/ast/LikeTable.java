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

/** LIKE t in a CREATE TABLE: the columns of another table, and more of it where that is said. */
public final class LikeTable extends AstNode {
  /** What more than names, types and NOT NULL can be taken over. */
  public enum Part {
    COMMENTS,
    CONSTRAINTS,
    DEFAULTS,
    GENERATED,
    IDENTITY,
    INDEXES
  }

  /** Reads what INCLUDING and EXCLUDING say, one after the other. */
  public static final class Parts {
    /** What PostgreSQL has, and rows of ours do not. */
    private static final Set<String> WITHOUT_MEANING =
        Set.of("STORAGE", "STATISTICS", "COMPRESSION");

    private final EnumSet<Part> included = EnumSet.noneOf(Part.class);

    /** INCLUDING or EXCLUDING a part, or ALL of them. */
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

    /** What is left in the end. */
    public Set<Part> included() {
      return included;
    }
  }

  private final SqlIdentifier table;
  private final Set<Part> parts;

  /** Made by the parser; the arguments are described at the getters. */
  public LikeTable(SqlParserPos pos, SqlIdentifier table, Set<Part> parts) {
    super("LIKE", SqlKind.OTHER_DDL, pos);
    this.table = table;
    this.parts = Set.copyOf(parts);
  }

  /** The other table. */
  public SqlIdentifier table() {
    return table;
  }

  /** Whether a part of it is taken over. */
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
