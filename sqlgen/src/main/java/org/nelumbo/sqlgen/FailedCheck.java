package org.nelumbo.sqlgen;

/**
 * A failed check.
 *
 * @param kind kind of the check
 * @param text description, with the statements
 */
record FailedCheck(String kind, String text) {}
