package org.nelumbo.planner.catalog;

import java.util.List;
import java.util.function.Supplier;
import org.nelumbo.executor.row.Column;

/**
 * A view of schema SYS or INFORMATION_SCHEMA, whose rows are made when they are asked for.
 *
 * @param rows of each row a raw value for each column: Long for long types, else the object, null
 *     for NULL
 */
public record SystemView(
    String schemaName, String name, List<Column> columns, Supplier<List<Object[]>> rows)
    implements Relation {}
