/**
 * Architecture rules as tests: which modules may use which, no cycles between packages and no
 * cycles of more than three classes, and the resources that engine code takes from its environment.
 *
 * <p>{@link org.nelumbo.arch.Production} contains the checked classes and the names of the modules'
 * packages. Each rule has a test that shows that it can fail, with the classes of {@link
 * org.nelumbo.arch.Offenders}.
 */
package org.nelumbo.arch;
