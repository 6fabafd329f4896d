/** Conversion of failures of the engine and of the pool to the errors that users see. */
package org.nelumbo.executor.error;
