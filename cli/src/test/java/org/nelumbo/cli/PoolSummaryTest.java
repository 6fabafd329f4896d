package org.nelumbo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PoolSummaryTest {
  private final PoolSummary summary = new PoolSummary(3);

  @Test
  void shouldReportAllNodesLive() {
    for (int node = 0; node < 3; node++) {
      summary.add(node, "bytes=1 owner=nobody copies=3 view=4 role=live live=0,1,2");
    }
    assertEquals(0, summary.state().exitStatus());
    assertEquals(
        "pool nodes=3 answering=0,1,2 copies=3 view=4 live=0,1,2 filling=none out=none state=live",
        summary.line());
  }

  @Test
  void shouldUseLatestView() {
    summary.add(0, "owner=process 7 on x (user y)\ncopies=3 view=4 role=live live=0,1,2");
    summary.add(1, "owner=process 7 on x (user y)\ncopies=3 view=5 role=live live=1");
    summary.add(
        2, "owner=process 7 on x (user y)\ncopies=3 view=5 role=filling live=1 filled=1 of=2");
    assertEquals(
        "pool nodes=3 answering=0,1,2 copies=3 view=5 live=1 filling=2 out=0 state=degraded",
        summary.line());
    assertEquals(4, summary.state().exitStatus());
  }

  @Test
  void shouldReportUnreachableIfNoLiveNodeReplies() {
    summary.add(1, "owner=nobody\ncopies=3 view=5 role=filling live=0,2 filled=1 of=2");
    assertEquals(3, summary.state().exitStatus());
    assertEquals(
        "pool nodes=3 answering=1 copies=3 view=5 live=none filling=none out=0,1,2"
            + " state=unreachable",
        summary.line());
  }

  @Test
  void shouldReportLoadingIfTooFewNodesAreLive() {
    summary.add(1, "bytes=1\nloading=loading,_7_%_of_9_rows\n");
    assertEquals("pool nodes=3 answering=1 loading=1 state=loading", summary.line());
    assertEquals(5, summary.state().exitStatus());
    for (int node : new int[] {0, 2}) {
      summary.add(node, "bytes=1 owner=nobody copies=3 view=4 role=live live=0,2");
    }
    assertEquals(4, summary.state().exitStatus());
  }

  @Test
  void shouldReportComputeNodeLoadingFromLog() {
    for (int node = 0; node < 3; node++) {
      String more = node == 1 ? " loading=loading,_7_%_of_9_rows" : "";
      summary.add(
          node, "bytes=1\nowner=who loads\ncopies=3 view=4 role=live live=0,1,2 taken=0" + more);
    }
    assertEquals("pool nodes=3 answering=0,1,2 loading=1 state=loading", summary.line());
    assertEquals(5, summary.state().exitStatus());
  }

  @Test
  void shouldReportClosedPoolStoredOnlyInLogs() {
    for (int node = 0; node < 2; node++) {
      summary.add(
          node, "bytes=1 epoch=0\nowner=nobody\ntaken=0 log=writing\ndecision=2 deciding=0,1,2");
    }
    assertEquals(5, summary.state().exitStatus());
    assertEquals(
        "pool nodes=3 answering=0,1 state=closed"
            + " (it is loaded from the logs when a compute node opens it)",
        summary.line());
    PoolSummary empty = new PoolSummary(1);
    empty.add(0, "bytes=1 epoch=0\nowner=nobody\ntaken=0 log=writing");
    assertEquals(6, empty.state().exitStatus());
  }

  @Test
  void shouldReportUnreachableWithoutReplies() {
    assertEquals("pool nodes=3 answering=none", summary.line());
    assertEquals(3, summary.state().exitStatus());
  }

  @Test
  void shouldReportFillingNode() {
    for (int node = 0; node < 2; node++) {
      summary.add(node, "owner=process 7\ncopies=3 pool=ab view=5 role=live live=0,1");
    }
    summary.add(2, "owner=process 7\ncopies=3 pool=ab view=5 role=filling live=0,1 filled=1 of=2");
    assertEquals(
        "pool nodes=3 answering=0,1,2 copies=3 pool=ab view=5 live=0,1 filling=2 out=none"
            + " state=filling",
        summary.line());
    assertEquals(5, summary.state().exitStatus());
    assertEquals("", summary.warning());
  }

  @Test
  void shouldReportNodesServingDifferentOwners() {
    summary.add(0, "owner=process 7 on a\ncopies=3 pool=ab view=6 role=live live=0");
    for (int node = 1; node < 3; node++) {
      summary.add(node, "owner=process 8 on b\ncopies=3 pool=ab view=5 role=live live=1,2");
    }
    assertEquals(
        "pool nodes=3 answering=0,1,2 copies=3 pool=ab view=6 live=0 filling=none out=none"
            + " other=1,2 state=split",
        summary.line());
    assertEquals(7, summary.state().exitStatus());
    assertTrue(summary.warning().contains("node 0 serves process 7 on a, pool ab"));
    assertTrue(summary.warning().contains("node 2 serves process 8 on b, pool ab"));
  }

  @Test
  void shouldReportSplitForNodesOfDifferentPools() {
    for (int node = 0; node < 3; node++) {
      summary.add(node, "owner=nobody\ncopies=3 pool=" + node + " view=1 role=live live=0,1,2");
    }
    assertEquals(PoolSummary.State.SPLIT, summary.state());
    assertTrue(
        summary
            .warning()
            .endsWith(
                "node 0 serves nobody, pool 0; node 1 serves nobody, pool 1;"
                    + " node 2 serves nobody, pool 2"),
        summary.warning());
  }

  @Test
  void shouldReportSingleCopyPoolsAndEmptyNodes() {
    summary.add(0, "bytes=1 owner=nobody");
    assertEquals("pool nodes=3 answering=0 (no pool has been created here)", summary.line());
    assertEquals(PoolSummary.State.UNREACHABLE, summary.state());
    summary.add(1, "bytes=1 owner=nobody copies=1");
    assertEquals("pool nodes=3 answering=0,1 copies=1 state=unreachable", summary.line());
    summary.add(0, "bytes=1 owner=nobody copies=1");
    summary.add(2, "bytes=1 owner=nobody copies=1");
    assertEquals(PoolSummary.State.LIVE, summary.state());
  }

  @Test
  void shouldNotReportSplitForSharingComputeNodes() {
    String first = "tenant=a name=process 7\n";
    String second = "tenant=b name=process 8\n";
    summary.add(0, "owner=process 7 and process 8\ntenants=2\n" + first + second + "copies=1");
    summary.add(1, "owner=process 8 and process 7\ntenants=2\n" + second + first + "copies=1");
    summary.add(2, "owner=process 7\ntenants=1\n" + first + "copies=1");
    assertEquals(PoolSummary.State.LIVE, summary.state());
  }

  @Test
  void shouldReportSplitForDisjointComputeNodes() {
    summary.add(0, "owner=process 7\ntenants=1\ntenant=a name=process 7\ncopies=1");
    summary.add(1, "owner=process 9\ntenants=1\ntenant=c name=process 9\ncopies=1");
    assertEquals(PoolSummary.State.SPLIT, summary.state());
    assertTrue(
        summary.warning().endsWith("node 0 serves process 7; node 1 serves process 9"),
        summary.warning());
  }

  @Test
  void shouldReportSlowNode() {
    long[] millis = {40, 900, 50};
    for (int node = 0; node < millis.length; node++) {
      summary.add(node, "bytes=1 owner=nobody copies=3 view=4 role=live live=0,1,2");
      summary.addReplyTime(node, millis[node]);
    }
    assertTrue(
        summary.slowness().startsWith("node 1 responded after 900 ms, the others after 40 ms"),
        summary.slowness());
    summary.addReplyTime(1, 199);
    assertEquals("", summary.slowness());
    summary.addReplyTime(1, 900);
    summary.addReplyTime(2, 800);
    summary.addReplyTime(0, 700);
    assertEquals("", summary.slowness());
  }

  @Test
  void shouldReportMissingPool() {
    for (int node = 0; node < 3; node++) {
      summary.add(node, "bytes=1\nowner=nobody");
    }
    assertEquals(6, summary.state().exitStatus());
  }
}
