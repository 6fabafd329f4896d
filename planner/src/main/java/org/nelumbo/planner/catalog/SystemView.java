package org.nelumbo.planner.catalog;

import java.util.List;
import java.util.function.Supplier;
import org.nelumbo.executor.row.Column;

/**
 * A view of schema SYS or INFORMATION_SCHEMA, whose rows are computed when it is queried.
 *
 * @param rows supplies the rows, each with one raw value per column: Long for long types, else the
 *     object, null for NULL
 */
public record SystemView(
    String schemaName, String name, List<Column> columns, Supplier<List<Object[]>> rows)
    implements Relation {}
