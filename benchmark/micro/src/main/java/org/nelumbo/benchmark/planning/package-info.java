/**
 * The cost of statements that are planned once: time and allocated bytes of each stage from the
 * text to the first row. {@code nelumbo bench planning} prints them for sets of statements.
 */
package org.nelumbo.benchmark.planning;
