package org.nelumbo.planner;

import org.nelumbo.executor.row.ColumnType;

/**
 * A parameter marker. The caller converts what the user gave into a raw value of {@code type}.
 *
 * @param type the type inferred from where the marker stands
 * @param assignment true where the value is stored in a column: numbers are rounded to the scale;
 *     false where it is compared or computed with: a value that the type cannot represent exactly
 *     is an error, never silently changed
 */
public record ParameterInfo(ColumnType type, boolean assignment) {}
