package org.nelumbo.session;

/**
 * A point in a transaction to which the transaction can be rolled back.
 *
 * @param id unique within the session
 * @param name name of the savepoint, or null if it has none
 */
public record Savepoint(int id, String name) {}
