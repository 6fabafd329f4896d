package org.nelumbo.jdbc;

/** Main class of the single jar. Prints what the jar is for; compiled for Java 8. */
final class JarUsage {
  private JarUsage() {}

  public static void main(String[] arguments) {
    System.out.println(
        "This is the JDBC driver of Nelumbo with the engine in it. Put it on the class path of a"
            + " program:\n\n"
            + "  java --enable-native-access=ALL-UNNAMED -cp THIS.jar Program.java\n\n"
            + "  URL     jdbc:nelumbo:mem:NAME        in the memory of the program\n"
            + "          jdbc:nelumbo:file:DIRECTORY  in files\n"
            + "          jdbc:nelumbo://HOST:PORT/NAME  on memory nodes\n"
            + "  driver  org.nelumbo.jdbc.NelumboDriver\n\n"
            + "It needs Java 25 or newer; this is Java "
            + System.getProperty("java.version")
            + ". A SQL prompt comes with the sources: ./nelumbo sql");
  }
}
