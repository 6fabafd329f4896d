package org.nelumbo.planner.catalog;

import org.nelumbo.types.ColumnType;

/**
 * A column as presented to readers of the catalog.
 *
 * @param ordinal position, from 1
 * @param defaultText the default as SQL text; null if there is none
 * @param identity whether the engine generates values
 * @param generation the generation expression as SQL text; null for ordinary columns
 * @param remarks the text of COMMENT ON; null if there is none
 */
public record ColumnInfo(
    String name,
    int ordinal,
    ColumnType type,
    String defaultText,
    boolean identity,
    String generation,
    String remarks) {}
