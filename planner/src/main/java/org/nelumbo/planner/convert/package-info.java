/**
 * Conversion of validated syntax trees to relational trees, as {@link
 * org.nelumbo.planner.convert.ConvertedStatement}.
 */
package org.nelumbo.planner.convert;
