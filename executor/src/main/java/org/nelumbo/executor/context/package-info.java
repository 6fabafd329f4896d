/**
 * The dependencies of the parts of a coordinator. {@link
 * org.nelumbo.executor.context.EngineContext} holds the objects that all coordinators of an engine
 * share; {@link org.nelumbo.executor.context.CoordinatorContext} adds the objects that one of them
 * owns. Constructors read both; a running transaction does not.
 *
 * <p>{@link org.nelumbo.executor.context.PoolMemory} is the only way back to the engine, for times
 * when memory is short. {@link org.nelumbo.executor.context.ChangeTracker} detects whether a change
 * of the pool was interrupted: each begin has its end on the same thread, unless an exception is
 * thrown.
 *
 * <p>{@link org.nelumbo.executor.context.FailStop} stops the engine where such an exception has
 * left latches or posted verbs behind; {@link org.nelumbo.executor.context.CriticalSection} detects
 * that. {@link org.nelumbo.executor.context.Leftovers} counts failures to tidy up after a commit.
 */
package org.nelumbo.executor.context;
