/**
 * Access paths to one table: conditions that an index can decide, their selectivity, and the choice
 * of the cheapest scan.
 */
package org.nelumbo.planner.access;
