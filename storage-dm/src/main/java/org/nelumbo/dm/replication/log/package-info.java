/**
 * The log of a pool with copies: each of its memory nodes keeps one, and all have the same commits.
 */
package org.nelumbo.dm.replication.log;
