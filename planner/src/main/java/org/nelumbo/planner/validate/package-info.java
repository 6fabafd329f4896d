/**
 * Validation of statements. {@link org.nelumbo.planner.validate.NelumboValidator} adds to Calcite's
 * validator what PostgreSQL allows and infers types of parameters; the other classes each rewrite
 * one construct before or during validation.
 */
package org.nelumbo.planner.validate;
