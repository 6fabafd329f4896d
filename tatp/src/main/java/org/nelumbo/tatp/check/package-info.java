/**
 * What must hold in the database after the load and after a run: counts, references, and what the
 * terminals were told has committed.
 */
package org.nelumbo.tatp.check;
