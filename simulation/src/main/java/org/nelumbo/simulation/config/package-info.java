/**
 * Configuration files of the simulator: {@code key = value} lines with units, read by {@link
 * org.nelumbo.simulation.config.Settings}. A key that no code has read is an error.
 */
package org.nelumbo.simulation.config;
