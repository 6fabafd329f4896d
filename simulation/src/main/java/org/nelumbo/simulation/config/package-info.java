/**
 * Configuration files of the simulator: {@code key = value} lines with units, in {@link
 * org.nelumbo.simulation.config.Settings}. A key that nobody has asked for is an error.
 */
package org.nelumbo.simulation.config;
