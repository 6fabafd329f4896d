/**
 * A short way from syntax trees to relational trees for plain queries, without Calcite's validator
 * and converter. {@link org.nelumbo.planner.plain.PlainQuery} declines whatever it does not cover.
 */
package org.nelumbo.planner.plain;
