/** The table of YCSB, its population, and the check that every record is there. */
package org.nelumbo.ycsb.load;
