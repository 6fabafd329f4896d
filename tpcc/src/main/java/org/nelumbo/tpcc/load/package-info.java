/**
 * Creates the tables and fills them with the population of clause 4.3: {@link
 * org.nelumbo.tpcc.load.Loader} is the entry.
 */
package org.nelumbo.tpcc.load;
