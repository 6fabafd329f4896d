/**
 * Errors as users see them. {@link org.nelumbo.error.ErrorCode} lists the SQLStates; {@link
 * org.nelumbo.error.NelumboException} carries one of them. Expected outcomes inside the engine
 * (conflict, not found, duplicate) are return values, which become exceptions only at the end of a
 * statement.
 */
package org.nelumbo.error;
