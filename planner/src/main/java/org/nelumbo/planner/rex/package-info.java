/**
 * Translation of Calcite's row expressions to expressions of the executor, and analysis of
 * expressions: conjuncts, common types, lossless casts, outer variables.
 */
package org.nelumbo.planner.rex;
