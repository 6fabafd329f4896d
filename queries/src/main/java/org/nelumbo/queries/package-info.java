/** Suites of queries on several databases beside each other: times, and whether results agree. */
package org.nelumbo.queries;
