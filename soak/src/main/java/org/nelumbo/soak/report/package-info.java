/** Sums of the RESULT lines of many runs, and the page that shows them. */
package org.nelumbo.soak.report;
