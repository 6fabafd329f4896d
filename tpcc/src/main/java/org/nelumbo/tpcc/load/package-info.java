/**
 * Creation of the tables and their population by clause 4.3. {@link org.nelumbo.tpcc.load.Loader}
 * is the entry point.
 */
package org.nelumbo.tpcc.load;
