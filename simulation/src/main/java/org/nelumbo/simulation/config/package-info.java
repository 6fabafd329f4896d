/**
 * Configuration files of the simulator: {@code key = value} lines with units, unknown keys refused.
 */
package org.nelumbo.simulation.config;
