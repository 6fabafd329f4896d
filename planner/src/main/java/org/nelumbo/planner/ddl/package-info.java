/**
 * Schema changes: from syntax trees to definitions ({@link org.nelumbo.planner.ddl.TableBuilder}),
 * and what they do to pool and catalogue ({@link org.nelumbo.planner.ddl.SchemaChanges}).
 */
package org.nelumbo.planner.ddl;
