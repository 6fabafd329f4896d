/**
 * The facade at work: a database, its sessions and what they run. A session ({@code LocalSession})
 * is a door for one thread at a time, the plans it remembers, the modes of its transactions, the
 * frame around each statement, and what runs queries and changes inside that frame. Not for callers
 * outside the planner; they use the interfaces of {@code org.nelumbo.planner}.
 */
package org.nelumbo.planner.session;
