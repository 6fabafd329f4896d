package org.nelumbo.planner.catalog;

import java.util.List;
import org.nelumbo.parser.ast.ReferentialAction;

/**
 * A foreign key: columns of one table whose values are those of columns of another that are unique
 * together.
 *
 * @param referencedKey name of the primary key or unique index referred to; null if it has none
 */
public record ForeignKeyInfo(
    String name,
    List<String> columns,
    String referencedSchema,
    String referencedTable,
    List<String> referencedColumns,
    String referencedKey,
    ReferentialAction onDelete,
    ReferentialAction onUpdate) {}
