package org.nelumbo.parser.ast;

import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.parser.SqlParserPos;

/** A single change in an ALTER TABLE. */
public abstract sealed class TableChange extends AstNode
    permits AddColumn,
        AddConstraint,
        AlterColumn,
        DropElement,
        DropPrimaryKey,
        RenameColumn,
        RenameConstraint,
        RenameTable {
  TableChange(String title, SqlKind kind, SqlParserPos pos) {
    super(title, kind, pos);
  }
}
