/**
 * Checkers of recorded histories, which do not depend on the implementation of the engine: {@link
 * org.nelumbo.checker.HistoryChecker} builds dependency graphs in about linear time, {@link
 * org.nelumbo.checker.ExactChecker} tries all orders of a few transactions. See
 * docs/internals/checkers.md.
 */
package org.nelumbo.checker;
