/**
 * The facade at work: databases, sessions, the plan cache and executions. Not for callers outside
 * the planner; they use the interfaces of {@code org.nelumbo.planner}.
 */
package org.nelumbo.planner.session;
