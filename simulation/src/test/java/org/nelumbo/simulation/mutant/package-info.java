/**
 * Engines with one part broken, in ways that published protocols were: proof that the checkers
 * bite. Nothing of it is in production code.
 */
package org.nelumbo.simulation.mutant;
