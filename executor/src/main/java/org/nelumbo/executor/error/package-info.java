/**
 * What can go wrong, as users see it: {@link org.nelumbo.executor.error.ErrorCode} is the one list
 * of SQLStates, {@link org.nelumbo.executor.error.NelumboException} carries one of them. Expected
 * outcomes inside the engine (conflict, not found, duplicate) are return values and become
 * exceptions only at the edge of a statement.
 */
package org.nelumbo.executor.error;
