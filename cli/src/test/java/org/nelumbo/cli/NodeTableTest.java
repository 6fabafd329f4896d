package org.nelumbo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class NodeTableTest {
  @Test
  void shouldFormatNodesAsAlignedTable() {
    NodeTable table = new NodeTable();
    table.add(
        0,
        "10.0.0.10:7420",
        "bytes=1073741824 epoch=1\nowner=process 7 on x (user y)\ntaken=52953088 full_in=never\n"
            + "copies=3 view=2 role=live live=0,2",
        12);
    table.add(
        1,
        "10.0.0.11:7420",
        "bytes=1073741824\nowner=nobody\ncopies=3 role=filling filled=5 of=20 taken=0",
        3);
    table.add(2, "10.0.0.12:7420", "bytes=1048576\nloading=loading,_7_%", 1);
    table.addSilent(3, "10.0.0.13:7420");
    assertEquals(
        List.of(
            "NODE  ADDRESS         STATE         USED      OF          FULL IN"
                + "  SERVES                   ANSWERED",
            "0     10.0.0.10:7420  live          50.5 MiB  1024.0 MiB  never  "
                + "  process 7 on x (user y)  12 ms",
            "1     10.0.0.11:7420  filling 25 %  0.0 MiB   1024.0 MiB  -      "
                + "  nobody                   3 ms",
            "2     10.0.0.12:7420  loading, 7 %  -         1.0 MiB     -      "
                + "  -                        1 ms",
            "3     10.0.0.13:7420  silent        -         -           -      "
                + "  -                        -"),
        table.lines());
  }
}
