/**
 * Recovery of a pool that another compute node has used, at an attach or after the failure of a
 * member. It decides the transactions that were being committed, from their logs (Pandora's rule),
 * repairs the indexes, and determines which memory is in use. Entry points: {@link
 * org.nelumbo.executor.recovery.PoolRecovery} for an attach, {@link
 * org.nelumbo.executor.recovery.ComputeNodeRecovery} for a failed member. In both cases the
 * previous owner has failed, or has left, and is fenced: none of its verbs can arrive any more.
 */
package org.nelumbo.executor.recovery;
