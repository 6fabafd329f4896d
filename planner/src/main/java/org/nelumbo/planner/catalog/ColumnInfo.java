package org.nelumbo.planner.catalog;

import org.nelumbo.types.ColumnType;

/**
 * A column as the catalogue's readers see it.
 *
 * @param ordinal from 1
 * @param defaultText the default as SQL text, null if there is none
 * @param identity whether the engine generates values
 * @param generation what it is computed from, as SQL; null if it is not
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
