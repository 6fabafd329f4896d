/** Failures of the engine and of the pool, as the errors that users see. */
package org.nelumbo.executor.error;
