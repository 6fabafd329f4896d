package org.nelumbo.planner.catalog;

import java.util.List;
import org.nelumbo.parser.ast.ReferentialAction;

/**
 * A foreign key as presented to readers of the catalog: columns that refer to a unique key of
 * another table.
 *
 * @param referencedKey name of the referenced primary key or unique index; null if it has none
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
