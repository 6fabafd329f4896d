package org.nelumbo.sqlgen;

/**
 * Something that should not be.
 *
 * @param kind which check has found it
 * @param text what it is, with the statements
 */
record FailedCheck(String kind, String text) {}
