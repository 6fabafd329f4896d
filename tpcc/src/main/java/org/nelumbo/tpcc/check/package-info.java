/**
 * Whether the database still makes sense: the twelve consistency conditions of clause 3.3.2, in
 * {@code conditions.sql}, and whether it holds what the terminals were told has committed.
 */
package org.nelumbo.tpcc.check;
