/**
 * Plans for INSERT, UPDATE, DELETE and MERGE: constraints, foreign keys, generated values,
 * conflicts.
 */
package org.nelumbo.planner.modify;
