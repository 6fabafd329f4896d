package org.nelumbo.planner.sql;

import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.hep.*;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.rel.core.RelFactories;
import org.junit.jupiter.api.Test;
import org.nelumbo.executor.row.*;
import org.nelumbo.executor.txn.*;
import org.nelumbo.planner.catalog.*;
import org.nelumbo.sql.SqlParsing;

class ScratchTest {
  @Test
  void show() throws Exception {
    Engine engine = Engine.openMemory(EngineOptions.DEFAULT.withMemoryBytes(64 << 20));
    Catalog catalog = Catalog.create(engine);
    catalog.addTable(table(engine, catalog, "T", 2, "A INTEGER,B INTEGER,C VARCHAR,D DECIMAL"), null);
    catalog.addTable(table(engine, catalog, "U", 1, "ID INTEGER,B INTEGER,C VARCHAR,D DECIMAL"), null);
    SqlFrontEnd front = new SqlFrontEnd();
    for (String sql : List.of(
        "select * from t where a = ? and b = 5.0 and c = 'x' and d > ?",
        "select c from t where a in (1,2,3) and b between 1 and 10 order by a desc limit 1",
        "select c from t where a in (?,?) or (a = 7 and b = 8)",
        "update t set d = d + ?, c = 'toolong' where a = ? and b = ?",
        "insert into t values (?,?,?,?), (1,2,'abc',1.2345)",
        "insert into t (a,b) values (1,2)",
        "insert into t (a,b,c) select id, b, c from u",
        "delete from t where c = '5' and a = '5' and exists (select 1 from u where u.id = t.a)",
        "select * from t where exists (select 1 from u where u.id = t.a and u.d > t.d)",
        "select * from t where not exists (select 1 from u where u.id = t.a)",
        "select * from t where a in (select b from u where u.c = t.c)",
        "select * from t where a not in (select b from u)",
        "select a, (select sum(d) from u where u.id = t.b) from t where a = 1",
        "select count(distinct u.b), min(t.d) from t, u where t.a = ? and u.id = t.b and u.b < 10 group by t.c having count(*) > 1",
        "select t.a, u.c from t left join u on t.b = u.id and u.d > 5 where t.a = 1 and u.c is null",
        "select max(b) from t where a = 1",
        "select distinct c from t union select c from u",
        "update t set d = (select max(d) from u where u.id = t.a) where a = 1",
        "select -a, case when a = 1 then 'a' else 'bcd' end, coalesce(c, 'x'), avg(d) over (partition by a) from t"
        )) {
      System.out.println("---- " + sql);
      try {
      SqlFrontEnd.Converted c = front.convert(SqlParsing.parseStatement(sql), catalog.state(), "PUBLIC");
      System.out.println(c.parameters());
      System.out.println(RelOptUtil.toString(c.root().rel));
      RelNode rel = hep(c.root().rel, CoreRules.FILTER_SUB_QUERY_TO_CORRELATE, CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE, CoreRules.JOIN_SUB_QUERY_TO_CORRELATE);
      if (rel != c.root().rel) {
      System.out.println("sub: \n" + RelOptUtil.toString(rel));
      rel = RelDecorrelator.decorrelateQuery(rel, RelFactories.LOGICAL_BUILDER.create(rel.getCluster(), null));
      System.out.println("decor: \n" + RelOptUtil.toString(rel));}
      } catch (Throwable e) { System.out.println(e); for (Throwable x = e.getCause(); x != null; x = x.getCause()) {System.out.println(" " + x); x.printStackTrace();} }
    }
  }
  static RelNode hep(RelNode r, org.apache.calcite.plan.RelOptRule... rules) {
    HepProgramBuilder b = HepProgram.builder();
    b.addRuleCollection(List.of(rules));
    HepPlanner p = new HepPlanner(b.build());
    p.setRoot(r);
    return p.findBestExp();
  }
  static TableDefinition table(Engine e, Catalog catalog, String name, int keys, String cols) {
    List<Column> columns = new java.util.ArrayList<>();
    for (String c : cols.split(",")) {
      String[] p = c.split(" ");
      ColumnType t = p[1].equals("DECIMAL") ? ColumnType.decimal(12, 2) : p[1].equals("VARCHAR") ? ColumnType.of(Kind.VARCHAR, 16) : ColumnType.of(Kind.valueOf(p[1]));
      columns.add(new Column(p[0], t.withNullable(columns.size() >= keys)));
    }
    int[] pk = java.util.stream.IntStream.range(0, keys).toArray();
    return new TableDefinition(catalog.newId(), "PUBLIC", name, columns, pk, name + "_PK", 0, 2, true, null, List.of(), List.of(), List.of(), 0, 0);
  }
}
