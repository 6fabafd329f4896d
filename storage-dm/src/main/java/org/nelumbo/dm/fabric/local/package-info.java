/**
 * The fabric of an embedded pool: memory nodes are lazily reserved regions of this process, and a
 * verb is a plain memory operation. Entry: {@link org.nelumbo.dm.fabric.local.LocalFabric}. The
 * same channel serves mapped files ({@code fabric.shm}), and memory nodes for the verbs of their
 * peers.
 *
 * <p>Hot path: {@code LocalChannel} and {@code RawMemory} do one bounds check a verb, allocate
 * nothing and have no virtual call that the JIT cannot see through. The order of verbs is that of
 * {@code LocalChannel}, argued verb by verb there.
 *
 * <p>Behind it: {@code BumpPointers} knows the words by which memory is handed out, so that there
 * is memory behind what an allocator gets; {@code PrefaultedMemory} touches pages ahead of that;
 * {@code SystemMemory}, {@code AnonymousMapping} and {@code MappedPages} are the system calls;
 * {@code PrefetchInstruction} is the processor's.
 */
package org.nelumbo.dm.fabric.local;
