/**
 * What a compute node does when it attaches to a pool that another one has used: it decides the
 * transactions that were being committed, from their logs (Pandora's rule), repairs the indexes,
 * and finds out which memory is in use. Entry: {@link org.nelumbo.executor.recovery.PoolRecovery}.
 * The owner before is dead, or has left, and is fenced: none of its verbs can arrive any more.
 */
package org.nelumbo.executor.recovery;
