package org.nelumbo.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.nelumbo.examples.hibernate.Library;
import org.nelumbo.examples.jdbc.Transfers;
import org.nelumbo.examples.jooq.Report;
import org.nelumbo.examples.springboot.Shop;

/** Checks the output of the examples. */
class ExamplesTest {
  /** The program of an example. */
  @FunctionalInterface
  private interface Program {
    void main(String[] arguments) throws Exception;
  }

  private static List<String> output(Program program) throws Exception {
    PrintStream console = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      program.main(new String[0]);
    } finally {
      System.setOut(console);
    }
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void shouldTransferByPlainJdbc() throws Exception {
    assertEquals(
        List.of(
            "opened account 1",
            "opened account 2",
            "opened account 3",
            "refused: 23514",
            "Ada has 70.00",
            "Bob has 130.00",
            "Cyd has 100.00"),
        output(Transfers::main));
  }

  @Test
  void shouldSellWithSpringBoot() throws Exception {
    assertEquals(
        List.of(
            "not sold: there are not so many",
            "{NAME=lotus, STOCK=3, SALES=1}",
            "{NAME=pond, STOCK=1, SALES=0}"),
        output(Shop::main));
  }

  @Test
  void shouldCountBooksWithHibernate() throws Exception {
    assertEquals(
        List.of("Ada wrote 2, read by 1", "Bob wrote 1, read by 0"), output(Library::main));
  }

  @Test
  void shouldRankSalesWithJooq() throws Exception {
    assertEquals(
        List.of("Bern 30.00 is number 1", "Bern 10.00 is number 2", "Oslo 7.00 is number 1"),
        output(Report::main));
  }
}
