/**
 * The production classes, instrumented when they are loaded: points at which throwables may be
 * injected, and defects that can be enabled. Production code has no hook for either.
 *
 * <p>{@link org.nelumbo.simulation.instrument.InstrumentedLoader} loads the engine and the
 * simulator again. It plants a call of {@link org.nelumbo.simulation.instrument.Probe} at the lines
 * of the engine ({@link org.nelumbo.simulation.instrument.ProbePlanter}), and each defect of the
 * list of {@link org.nelumbo.simulation.instrument.Defect}s next to the code it replaces ({@link
 * org.nelumbo.simulation.instrument.DefectPlanter}). {@link
 * org.nelumbo.simulation.instrument.SiteCatalog} numbers the points.
 */
package org.nelumbo.simulation.instrument;
