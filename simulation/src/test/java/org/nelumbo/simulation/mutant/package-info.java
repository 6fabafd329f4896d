/**
 * Engines with one broken part, modelled on the defects of published protocols. They prove that the
 * checkers detect such defects. Production code contains none of them.
 */
package org.nelumbo.simulation.mutant;
