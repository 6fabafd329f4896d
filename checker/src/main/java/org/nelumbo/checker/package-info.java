/**
 * Checks of recorded histories, which do not depend on how the engine works: {@link
 * org.nelumbo.checker.HistoryChecker} by dependency graphs in about linear time, {@link
 * org.nelumbo.checker.ExactChecker} by trying all orders of a handful of transactions. See
 * docs/internals/checkers.md.
 */
package org.nelumbo.checker;
