/**
 * Functions and operators that SQL has here beyond Calcite's, and those that are replaced by others
 * before validation.
 */
package org.nelumbo.planner.function;
