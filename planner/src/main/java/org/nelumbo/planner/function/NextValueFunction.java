package org.nelumbo.planner.function;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.nelumbo.dm.env.DeepStack;
import org.nelumbo.error.ErrorCode;
import org.nelumbo.error.NelumboException;
import org.nelumbo.parser.SqlParsing;
import org.nelumbo.planner.catalog.CatalogState;
import org.nelumbo.planner.catalog.Relation;
import org.nelumbo.planner.catalog.SequenceDefinition;
import org.nelumbo.planner.catalog.SequenceEntry;
import org.nelumbo.planner.catalog.TableDefinition.IdentityDefinition;
import org.nelumbo.planner.catalog.TableEntry;
import org.nelumbo.types.Kind;

/** NEXTVAL('s'), or NEXT VALUE FOR s: draws the next number of a sequence. */
public final class NextValueFunction extends SqlFunction {
  public static final NextValueFunction INSTANCE = new NextValueFunction();

  private static final Set<String> NAMES = Set.of("NEXTVAL", "CURRVAL", "SETVAL");

  private NextValueFunction() {
    super(
        "NEXTVAL",
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.BIGINT,
        null,
        OperandTypes.CHARACTER,
        SqlFunctionCategory.SYSTEM);
  }

  @Override
  public boolean isDeterministic() {
    return false;
  }

  @Override
  public boolean isDynamicFunction() {
    return true;
  }

  /** Rewrites CURRENT VALUE FOR as a call of CURRVAL. */
  public static SqlNode ofCurrentValue(SqlCall currentValue) {
    return currentValue(currentValue.operand(0), currentValue.getParserPosition());
  }

  private static SqlNode currentValue(SqlIdentifier sequence, SqlParserPos pos) {
    SqlCall next = call(sequence.names, pos);
    return new SqlUnresolvedFunction(
            new SqlIdentifier("CURRVAL", pos),
            null,
            null,
            null,
            null,
            SqlFunctionCategory.USER_DEFINED_FUNCTION)
        .createCall(pos, next.getOperandList());
  }

  /** Returns true if a name may be s.NEXTVAL or s.CURRVAL, as in Oracle and H2. */
  public static boolean isNamed(SqlIdentifier name) {
    return name.names.size() > 1
        && (name.names.getLast().equals("NEXTVAL") || name.names.getLast().equals("CURRVAL"));
  }

  /** Returns the call for s.NEXTVAL or s.CURRVAL. */
  public static SqlNode ofName(SqlIdentifier name) {
    SqlIdentifier sequence = name.skipLast(1);
    return name.names.getLast().equals("NEXTVAL")
        ? call(sequence.names, name.getParserPosition())
        : currentValue(sequence, name.getParserPosition());
  }

  /** Rewrites NEXT VALUE FOR as a call of this function. */
  public static SqlNode ofNextValue(SqlCall nextValue) {
    SqlIdentifier name = nextValue.operand(0);
    return call(name.names, nextValue.getParserPosition());
  }

  private static SqlCall call(List<String> names, SqlParserPos pos) {
    StringBuilder text = new StringBuilder();
    for (String name : names) {
      text.append(text.isEmpty() ? "" : ".").append('"').append(name.replace("\"", "\"\""));
      text.append('"');
    }
    return INSTANCE.createCall(pos, SqlLiteral.createCharString(text.toString(), pos));
  }

  /**
   * Returns an expression for storage, in which sequences have qualified names; fails if one does
   * not exist.
   */
  public static SqlNode qualified(SqlNode expression, CatalogState state, String schema) {
    return DeepStack.call(() -> expression.accept(qualification(state, schema)));
  }

  private static SqlShuttle qualification(CatalogState state, String schema) {
    return new SqlShuttle() {
      @Override
      public SqlNode visit(SqlCall call) {
        List<String> names = names(call);
        if (names == null) {
          return super.visit(call);
        }
        SequenceEntry sequence = find(names, state, schema);
        SqlCall qualified =
            call(List.of(sequence.schemaName(), sequence.name()), call.getParserPosition());
        if (call.getKind() == SqlKind.NEXT_VALUE) {
          return qualified;
        }
        List<SqlNode> operands = new ArrayList<>(call.getOperandList());
        operands.set(0, qualified.operand(0));
        return call.getOperator().createCall(call.getParserPosition(), operands);
      }
    };
  }

  /** Returns the existing sequences from which an expression or a query draws numbers. */
  public static Set<SequenceEntry> sequences(SqlNode node, CatalogState state, String schema) {
    Set<SequenceEntry> sequences = new HashSet<>();
    node.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlCall call) {
            List<String> names = names(call);
            if (names == null) {
              return super.visit(call);
            }
            if (relation(names, state, schema) instanceof SequenceEntry sequence) {
              sequences.add(sequence);
            }
            return null;
          }
        });
    return sequences;
  }

  private static List<String> names(SqlCall call) {
    if (call.getKind() == SqlKind.NEXT_VALUE) {
      return ((SqlIdentifier) call.operand(0)).names;
    }
    boolean named =
        NAMES.contains(call.getOperator().getName().toUpperCase(Locale.ROOT))
            && call.operandCount() > 0
            && withoutCast(call.operand(0)) instanceof SqlLiteral literal
            && literal.getValueAs(String.class) != null;
    return named
        ? parse(((SqlLiteral) withoutCast(call.operand(0))).getValueAs(String.class))
        : null;
  }

  private static SqlNode withoutCast(SqlNode name) {
    boolean isCast =
        name.getKind() == SqlKind.CAST
            || name instanceof SqlCall call
                && call.getOperator().equals(SqlLibraryOperators.INFIX_CAST);
    return isCast ? ((SqlCall) name).operand(0) : name;
  }

  private static List<String> parse(String text) {
    if (SqlParsing.parseExpression(text) instanceof SqlIdentifier name) {
      return name.names;
    }
    throw new NelumboException(ErrorCode.SYNTAX_ERROR, "'" + text + "' does not name a sequence");
  }

  /** Returns the sequence of a call. */
  public static SequenceEntry sequence(RexCall call, CatalogState state, String schema) {
    RexNode first = call.getOperands().getFirst();
    RexNode name =
        first.getKind() == SqlKind.CAST ? ((RexCall) first).getOperands().getFirst() : first;
    if (name instanceof RexLiteral literal && literal.getValueAs(String.class) != null) {
      List<String> names = parse(literal.getValueAs(String.class));
      SequenceEntry identity = identity(names, state, schema);
      return identity == null ? find(names, state, schema) : identity;
    }
    throw new NelumboException(
        ErrorCode.UNSUPPORTED,
        call.getOperator().getName() + " takes the name of a sequence as a literal");
  }

  /**
   * PostgreSQL names the numbers table_column_seq. Returns null if the column does not exist, or if
   * a sequence has this name.
   */
  private static SequenceEntry identity(List<String> names, CatalogState state, String schema) {
    String where = names.size() > 1 ? names.get(names.size() - 2) : schema;
    String name = names.getLast();
    if (!name.endsWith("_SEQ") || !state.hasSchema(where) || state.relation(where, name) != null) {
      return null;
    }
    for (Relation relation : state.relations(where)) {
      if (relation instanceof TableEntry table && name.startsWith(table.name() + "_")) {
        for (IdentityDefinition identity : table.definition().identities()) {
          String column = table.columns().get(identity.column()).name();
          if (name.equals(table.name() + "_" + column + "_SEQ")) {
            return new SequenceEntry(
                definition(identity, where, name), table.sequence(identity.column()));
          }
        }
      }
    }
    return null;
  }

  private static SequenceDefinition definition(
      IdentityDefinition identity, String schema, String name) {
    return new SequenceDefinition(
        identity.id(),
        schema,
        name,
        Kind.BIGINT,
        identity.start(),
        identity.increment(),
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        false,
        null);
  }

  private static SequenceEntry find(List<String> names, CatalogState state, String schema) {
    if (relation(names, state, schema) instanceof SequenceEntry sequence) {
      return sequence;
    }
    throw new NelumboException(
        ErrorCode.NO_SUCH_TABLE, "Sequence '" + String.join(".", names) + "' not found");
  }

  private static Relation relation(List<String> names, CatalogState state, String schema) {
    String where = names.size() > 1 ? names.get(names.size() - 2) : schema;
    return state.relation(where, names.getLast());
  }
}
