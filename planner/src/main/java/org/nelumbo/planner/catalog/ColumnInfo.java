package org.nelumbo.planner.catalog;

import org.nelumbo.executor.row.ColumnType;

/**
 * A column as the catalogue's readers see it.
 *
 * @param ordinal from 1
 * @param defaultText the default as SQL text, null if there is none
 * @param identity whether the engine generates values
 */
public record ColumnInfo(
    String name, int ordinal, ColumnType type, String defaultText, boolean identity) {}
