package org.nelumbo.session;

import org.nelumbo.types.ColumnType;

/**
 * A parameter marker of a statement. The caller converts the user's value into a raw value of
 * {@code type}.
 *
 * @param type type inferred from the context of the marker
 * @param assignment true if the value is stored in a column: numbers are then rounded to the scale.
 *     False if the value is compared or computed with: a value that the type cannot represent
 *     exactly must not be changed; the caller plans the statement for the type of the value
 *     instead, see {@link StatementExecution#setParameterTypes}
 * @param open true if the context does not determine a type, or if the type is the one of an
 *     earlier value. The type of the value then counts, and {@code type} applies only to NULL and
 *     text
 */
public record ParameterInfo(ColumnType type, boolean assignment, boolean open) {}
