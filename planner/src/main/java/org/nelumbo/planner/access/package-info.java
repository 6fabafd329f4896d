/**
 * Access paths to one table: conditions that an index can answer, their selectivity, and the scan
 * that costs least.
 */
package org.nelumbo.planner.access;
