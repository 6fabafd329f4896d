/** Tables and indexes open on this compute node: what the transaction layer works on. */
package org.nelumbo.executor.table;
