/**
 * Functions and operators beyond those of Calcite, and functions that are rewritten before
 * validation.
 */
package org.nelumbo.planner.function;
