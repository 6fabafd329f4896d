/**
 * The command that runs the sqllogictest corpus: public files of statements with their results.
 *
 * <p>{@link org.nelumbo.sqlgen.corpus.CorpusFile} reads the files, {@link
 * org.nelumbo.sqlgen.corpus.CorpusRun} runs one against a database, {@link
 * org.nelumbo.sqlgen.corpus.CorpusCommand} is {@code nelumbo sqllogictest}. One thread at a time.
 */
package org.nelumbo.sqlgen.corpus;
