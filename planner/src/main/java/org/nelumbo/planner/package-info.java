/**
 * From SQL text to plans, and what a driver needs to run them. Entry types: {@link
 * org.nelumbo.planner.Database} (an opened pool with its catalogue and plan cache), {@link
 * org.nelumbo.planner.Session} (one connection), {@link org.nelumbo.planner.PreparedStatementPlan}
 * (a shared, immutable plan) and {@link org.nelumbo.planner.StatementExecution} (one statement
 * being run). Called by the JDBC layer; knows no {@code java.sql}.
 */
package org.nelumbo.planner;
