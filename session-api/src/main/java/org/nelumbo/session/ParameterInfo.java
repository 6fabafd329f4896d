package org.nelumbo.session;

import org.nelumbo.types.ColumnType;

/**
 * A parameter marker. The caller converts what the user gave into a raw value of {@code type}.
 *
 * @param type the type inferred from where the marker stands
 * @param assignment true where the value is stored in a column: numbers are rounded to the scale;
 *     false where it is compared or computed with: a value that the type cannot represent exactly
 *     is never silently changed: the statement is to be planned for the type of the value instead
 * @param open whether the place tells no type, or the type is that of an earlier value: the type of
 *     the value counts, and {@code type} is only what NULL and text are taken for
 */
public record ParameterInfo(ColumnType type, boolean assignment, boolean open) {}
