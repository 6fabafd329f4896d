package org.nelumbo.session;

/**
 * A point in a transaction to go back to.
 *
 * @param id unique within the session
 * @param name null if it was not given one
 */
public record Savepoint(int id, String name) {}
