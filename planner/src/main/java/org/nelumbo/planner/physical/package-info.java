/**
 * From a relational tree to operators. Conditions are handed down the tree until they meet the
 * table they are about; there, what can be decided by a key is told apart from what is left over
 * ({@link org.nelumbo.planner.physical.AccessPath}). Joins are put in order greedily: the most
 * selective access first, then whatever is bound by key to what there is. Columns are not copied: a
 * column of a relational node is an expression over the frame, and is substituted into what lies
 * above it.
 */
package org.nelumbo.planner.physical;
