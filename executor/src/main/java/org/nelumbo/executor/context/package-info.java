/**
 * What is handed to the parts of a coordinator instead of the coordinator: {@link
 * org.nelumbo.executor.context.EngineContext} is what all coordinators of an engine share, {@link
 * org.nelumbo.executor.context.CoordinatorContext} adds what one of them owns. They are read by
 * constructors; nothing is looked up in them while a transaction runs.
 *
 * <p>{@link org.nelumbo.executor.context.PoolMemory} is the one way back up to the engine, for when
 * memory is short. {@link org.nelumbo.executor.context.ChangeTracker} knows whether a change of the
 * pool was interrupted: each begin has its end on the same thread, unless an exception flies.
 *
 * <p>{@link org.nelumbo.executor.context.FailStop} is thrown where such an exception has left
 * latches or posted verbs behind, which {@link org.nelumbo.executor.context.CriticalSection} finds
 * out: the engine stops. {@link org.nelumbo.executor.context.Leftovers} counts what could not be
 * tidied up after a commit.
 */
package org.nelumbo.executor.context;
