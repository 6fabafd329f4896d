/**
 * The {@link org.nelumbo.dm.env.Environment}: the only source of time, randomness, threads and
 * waiting for engine code, so that a simulator can own all four. Production uses {@link
 * org.nelumbo.dm.env.SystemEnvironment}. An architecture test holds that no other class of the
 * engine asks the JVM for any of them. {@link org.nelumbo.dm.env.BackgroundThread} is how the
 * engine runs work of its own: such a thread goes on whatever it meets, or takes down loudly what
 * depends on it. Thread-safe; depends on no other package.
 */
package org.nelumbo.dm.env;
