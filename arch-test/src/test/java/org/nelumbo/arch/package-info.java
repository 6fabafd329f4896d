/**
 * Rules of the whole house as tests: which modules may use which, no cycles between packages and
 * none of more than three classes, what engine code takes from its environment, and documents that
 * agree with the code.
 *
 * <p>{@link org.nelumbo.arch.Production} holds the classes that are judged and the names of the
 * modules' packages. Each rule has a test by which it shows that it can fail, with the classes of
 * {@link org.nelumbo.arch.Offenders}.
 */
package org.nelumbo.arch;
