/**
 * The fabric of an embedded pool: memory nodes are lazily reserved regions of this process, and a
 * verb is a plain memory operation. Entry: {@link org.nelumbo.dm.fabric.local.LocalFabric}. The
 * same channel serves mapped files ({@code fabric.shm}), and memory nodes that execute the verbs of
 * their peers.
 *
 * <p>Hot path: {@code LocalChannel} and {@code RawMemory} do one bounds check for each verb,
 * allocate nothing and have no virtual call that the JIT cannot inline. {@code LocalChannel}
 * defines the order of verbs and contains the argument for each pair.
 *
 * <p>Supporting classes: {@code BumpPointers} finds the words from which memory is allocated, so
 * that allocated memory is always populated. {@code PrefaultedMemory} populates pages ahead of
 * that. {@code SystemMemory}, {@code AnonymousMapping} and {@code MappedPages} are the system
 * calls; {@code PrefetchInstruction} is the processor's instruction.
 */
package org.nelumbo.dm.fabric.local;
