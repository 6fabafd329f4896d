package org.nelumbo.sqlgen.corpus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The files of a corpus: {@link #ours} are part of the program, others are in a jar. The caller
 * closes it.
 */
abstract class CorpusSource implements AutoCloseable {
  private static final String FOLDER = "/corpus/";
  private static final String ENDING = ".test";

  /** Returns the names of the files, in execution order. */
  abstract List<String> names() throws IOException;

  /** Opens a file. */
  abstract InputStream open(String name) throws IOException;

  @Override
  public abstract void close() throws IOException;

  /** Reads the statements of a file for a dialect. */
  List<CorpusRecord> records(String name, String dialect) throws IOException {
    try (BufferedReader in = reader(open(name))) {
      return CorpusFile.read(in, dialect);
    }
  }

  private static BufferedReader reader(InputStream in) {
    return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  /** Returns the statements that are part of the program, in a file for each area. */
  static CorpusSource ours() {
    return new CorpusSource() {
      @Override
      List<String> names() throws IOException {
        try (BufferedReader in = reader(open("areas.txt"))) {
          return in.lines().map(area -> area + ENDING).toList();
        } catch (UncheckedIOException e) {
          throw e.getCause();
        }
      }

      @Override
      InputStream open(String name) {
        return CorpusSource.class.getResourceAsStream(FOLDER + name);
      }

      @Override
      public void close() {}
    };
  }

  /** Returns the files of a jar. */
  static CorpusSource of(Path jar) throws IOException {
    ZipFile zip = new ZipFile(jar.toFile());
    return new CorpusSource() {
      @Override
      List<String> names() {
        return zip.stream().map(ZipEntry::getName).filter(name -> name.endsWith(ENDING)).toList();
      }

      @Override
      InputStream open(String name) throws IOException {
        return zip.getInputStream(zip.getEntry(name));
      }

      @Override
      public void close() throws IOException {
        zip.close();
      }
    };
  }
}
