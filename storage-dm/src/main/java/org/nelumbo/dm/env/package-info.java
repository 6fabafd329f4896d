/**
 * The {@link org.nelumbo.dm.env.Environment}: the only source of time, randomness, threads and
 * waiting for engine code, so that a simulator can control all four. Production uses {@link
 * org.nelumbo.dm.env.SystemEnvironment}. An architecture test checks that no other class of the
 * engine uses those of the JVM. {@link org.nelumbo.dm.env.BackgroundThread} runs the engine's own
 * work: such a thread continues after any failure, or makes everything that depends on it fail
 * visibly. Thread-safe; depends on no other package.
 */
package org.nelumbo.dm.env;
