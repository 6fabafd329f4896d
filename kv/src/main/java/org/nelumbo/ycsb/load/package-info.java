/** The table and its population. */
package org.nelumbo.ycsb.load;
