/**
 * What expressions ask about the session they are evaluated in: its time zone, the numbers it has
 * drawn of sequences, its properties.
 */
package org.nelumbo.executor.session;
