<#-- CREATE, DROP, ALTER, TRUNCATE. -->

SqlNode CreateStatement() :
{
    final Span s;
    final SqlNode statement;
    boolean unique = false;
    boolean replace = false;
}
{
    <CREATE> { s = span(); }
    (
        <TABLE> statement = CreateTableBody(s, false)
    |
        LOOKAHEAD({ SyntaxChecks.isKindOfTable(getToken(1).image) && getToken(2).kind == TABLE })
        <IDENTIFIER> <TABLE> statement = CreateTableBody(s, false)
    |
        LOOKAHEAD({ SyntaxChecks.isTemporary(getToken(1).image) })
        [ <LOCAL> | <GLOBAL> ] ( <TEMPORARY> | WordOf("TEMP") ) <TABLE> statement = CreateTableBody(s, true)
    |
        [ <UNIQUE> { unique = true; } NullsDistinctOpt() ] <INDEX> statement = CreateIndexBody(s, unique)
    |
        <SCHEMA> statement = CreateSchemaBody(s)
    |
        [
            <OR> <REPLACE> { replace = true; }
            [ LOOKAHEAD({ SyntaxChecks.isWord(getToken(1).image, "FORCE") }) <IDENTIFIER> ]
        ]
        <VIEW> statement = CreateViewBody(s, replace)
    |
        LOOKAHEAD({ SyntaxChecks.isWord(getToken(1).image, "FORCE") && getToken(2).kind == VIEW })
        <IDENTIFIER> <VIEW> statement = CreateViewBody(s, false)
    |
        <SEQUENCE> statement = CreateSequenceBody(s)
    )
    { return statement; }
}

/** NULLS DISTINCT, as UNIQUE always takes them; H2 writes it into its scripts. */
void NullsDistinctOpt() :
{}
{
    [ <NULLS> [ <ALL> ] <DISTINCT> ]
}

boolean IfNotExistsOpt() :
{}
{
    LOOKAHEAD(2) <IF> <NOT> <EXISTS> { return true; }
|
    { return false; }
}

boolean IfExistsOpt() :
{}
{
    LOOKAHEAD(2) <IF> <EXISTS> { return true; }
|
    { return false; }
}

/** IF EXISTS behind the name, as H2 and HSQLDB have it. */
boolean IfExistsBehind(boolean before) :
{}
{
    <IF> <EXISTS> { return true; }
|
    { return before; }
}

DropBehavior DropBehaviorOpt() :
{}
{
    <CASCADE> [ <CONSTRAINTS> ] { return DropBehavior.CASCADE; }
|
    <RESTRICT> { return DropBehavior.RESTRICT; }
|
    { return DropBehavior.UNSPECIFIED; }
}

SqlNode CreateTableBody(Span s, boolean temporary) :
{
    OnCommit onCommit = temporary ? OnCommit.PRESERVE_ROWS : null;
    final boolean ifNotExists;
    final SqlIdentifier name;
    SqlNodeList elements = null;
    SqlNodeList tableOptions = SqlNodeList.EMPTY;
    SqlNode query = null;
    boolean withData = true;
}
{
    ifNotExists = IfNotExistsOpt()
    name = CompoundIdentifier()
    [ <COMMENT> SimpleStringLiteral() ]
    [
        LOOKAHEAD(1) elements = TableElements()
        (
            LOOKAHEAD({ SyntaxChecks.isStorageOption(getToken(1).image, getToken(2).image) })
            elements = StorageOption(elements) [ <COMMA> ]
        )*
    ]
    [ LOOKAHEAD(1) <WITH> tableOptions = TableOptions() ]
    [ onCommit = OnCommitClause(temporary) ]
    [
        LOOKAHEAD(1) <AS> query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY)
        [ <WITH> [ <NO> { withData = false; } ] <DATA> ]
    ]
    {
        SyntaxChecks.tableElements(name, elements, query);
        return new CreateTable(
            s.end(this), name, ifNotExists, elements, tableOptions, query, withData, onCommit);
    }
}

OnCommit OnCommitClause(boolean temporary) :
{
    final OnCommit onCommit;
}
{
    <ON> <COMMIT> { SyntaxChecks.onCommit(getPos(), temporary); }
    (
        <PRESERVE> <ROWS> { onCommit = OnCommit.PRESERVE_ROWS; }
    |
        <DELETE> <ROWS> { onCommit = OnCommit.DELETE_ROWS; }
    |
        <DROP> { onCommit = OnCommit.DROP; }
    )
    { return onCommit; }
}

SqlNodeList TableElements() :
{
    final Span s;
    final List<SqlNode> list = new ArrayList<SqlNode>();
}
{
    <LPAREN> { s = span(); }
    TableElement(list)
    ( <COMMA> TableElement(list) )*
    <RPAREN> { return new SqlNodeList(list, s.end(this)); }
}

void TableElement(List<SqlNode> list) :
{
    final SqlNode element;
}
{
    (
        LOOKAHEAD( IndexWord() [ SimpleIdentifier() ] <LPAREN> SimpleIdentifier() )
        element = TableIndex()
    |
        element = TableConstraint()
    |
        element = LikeTable()
    |
        element = ColumnOrName()
    )
    { list.add(element); }
}

/** LIKE t: the columns of another table, and what INCLUDING says. */
LikeTable LikeTable() :
{
    final Span s;
    final SqlIdentifier table;
    String word;
    final LikeTable.Parts parts = new LikeTable.Parts();
}
{
    <LIKE> { s = span(); } table = CompoundIdentifier()
    (
        <INCLUDING> word = LikePart() { parts.set(getPos(), word, true); }
    |
        <EXCLUDING> word = LikePart() { parts.set(getPos(), word, false); }
    )*
    { return new LikeTable(s.end(this), table, parts.included()); }
}

String LikePart() :
{
    final SqlIdentifier word;
}
{
    <ALL> { return "ALL"; }
|
    word = SimpleIdentifier() { return word.getSimple(); }
}

/** MySQL's INDEX name (columns), or KEY. */
TableIndex TableIndex() :
{
    SqlIdentifier name = null;
    final SqlNodeList columns;
    final Span s;
}
{
    IndexWord() { s = span(); } [ name = SimpleIdentifier() ] columns = KeyColumns() {
        return new TableIndex(s.end(this), name, columns);
    }
}

/** The columns of a key, with the kind of its index that MySQL may name. */
SqlNodeList KeyColumns() :
{
    final SqlNodeList columns;
}
{
    columns = ParenthesizedSimpleIdentifierList()
    [ <USING> IndexKind() ]
    { return columns; }
}

void IndexKind() :
{}
{
    LOOKAHEAD({ "HASH".equalsIgnoreCase(getToken(1).image) }) WordOf("HASH")
|
    LOOKAHEAD({ "BTREE".equalsIgnoreCase(getToken(1).image) }) WordOf("BTREE")
}

void IndexWord() :
{}
{
    <KEY>
|
    <INDEX>
}

/**
 * MySQL's ENGINE = x, DEFAULT CHARSET = x and the like, and Oracle's SEGMENT CREATION: where and how
 * it would keep the table. AUTO_INCREMENT is the next number of the table's identity.
 */
SqlNodeList StorageOption(SqlNodeList elements) :
{
    final long next;
}
{
    <AUTO_INCREMENT> [ <EQ> ] next = SignedLong() { return SyntaxChecks.startingAt(elements, next); }
|
    <COMMENT> [ <EQ> ] SimpleStringLiteral() { return elements; }
|
    LOOKAHEAD({ SyntaxChecks.isWord(getToken(1).image, "SEGMENT") })
    WordOf("SEGMENT") WordOf("CREATION") ( <IMMEDIATE> | WordOf("DEFERRED") ) { return elements; }
|
    [ <DEFAULT_> ]
    (
        <CHARACTER> <SET>
    |
        <COLLATE>
    |
        <IDENTIFIER>
    )
    [ <EQ> ] ( LOOKAHEAD(1) SimpleIdentifier() | Literal() )
    { return elements; }
}

SqlNodeList TableOptions() :
{
    final Span s;
    final List<SqlNode> list = new ArrayList<SqlNode>();
}
{
    <LPAREN> { s = span(); }
    TableOption(list)
    ( <COMMA> TableOption(list) )*
    <RPAREN> { return new SqlNodeList(list, s.end(this)); }
}

void TableOption(List<SqlNode> list) :
{
    final SqlIdentifier name;
    final SqlNode value;
}
{
    name = SimpleIdentifier() <EQ>
    (
        LOOKAHEAD(1) value = SimpleIdentifier()
    |
        value = Literal()
    )
    { list.add(new TableOption(Span.of(name, value).pos(), name, value)); }
}

Constraint TableConstraint() :
{
    SqlIdentifier name = null;
    final Constraint constraint;
    final Span s = Span.of();
    final SqlNodeList columns;
}
{
    [ <CONSTRAINT> { s.add(this); } name = ConstraintName() ]
    (
        <PRIMARY> { s.add(this); } <KEY> columns = KeyColumns() {
            return new PrimaryKeyConstraint(s.end(this), name, columns);
        }
    |
        <UNIQUE> { s.add(this); } NullsDistinctOpt()
        [ LOOKAHEAD(1) IndexWord() [ name = SimpleIdentifier() ] ]
        columns = KeyColumns() {
            return new UniqueConstraint(s.end(this), name, columns);
        }
    |
        <FOREIGN> { s.add(this); } <KEY> columns = ParenthesizedSimpleIdentifierList()
        constraint = ReferencesClause(s, name, columns) { return constraint; }
    |
        constraint = CheckClause(s, name) { return constraint; }
    )
}

/** A name, with the schema of its table in front as H2 has it. */
SqlIdentifier ConstraintName() :
{
    SqlIdentifier name;
}
{
    name = SimpleIdentifier() [ LOOKAHEAD(1) <DOT> name = SimpleIdentifier() ] { return name; }
}

/** NOCHECK of H2's scripts: the rows follow, or are known to meet the constraint. */
void NoCheckOpt() :
{}
{
    [ LOOKAHEAD({ SyntaxChecks.isWord(getToken(1).image, "NOCHECK") }) <IDENTIFIER> ]
}

Constraint CheckClause(Span s, SqlIdentifier name) :
{
    final SqlNode condition;
}
{
    <CHECK> { s.add(this); }
    <LPAREN> condition = Expression(ExprContext.ACCEPT_SUB_QUERY) <RPAREN>
    NoCheckOpt()
    { return new CheckConstraint(s.end(this), name, condition); }
}

Constraint ReferencesClause(Span s, SqlIdentifier name, SqlNodeList columns) :
{
    final SqlIdentifier table;
    SqlNodeList referenced = null;
    ReferentialAction onDelete = ReferentialAction.NO_ACTION;
    ReferentialAction onUpdate = ReferentialAction.NO_ACTION;
}
{
    <REFERENCES> { s.add(this); } table = CompoundIdentifier()
    [ referenced = ParenthesizedSimpleIdentifierList() ]
    (
        LOOKAHEAD(2) <ON> <DELETE> onDelete = ReferentialActionName()
    |
        <ON> <UPDATE> onUpdate = ReferentialActionName()
    )*
    NoCheckOpt()
    { return new ForeignKeyConstraint(s.end(this), name, columns, table, referenced, onDelete, onUpdate); }
}

ReferentialAction ReferentialActionName() :
{}
{
    <NO> <ACTION> { return ReferentialAction.NO_ACTION; }
|
    <RESTRICT> { return ReferentialAction.RESTRICT; }
|
    <CASCADE> { return ReferentialAction.CASCADE; }
|
    LOOKAHEAD(2) <SET> <NULL> { return ReferentialAction.SET_NULL; }
|
    <SET> <DEFAULT_> { return ReferentialAction.SET_DEFAULT; }
}

/** A column with its type; or only a name, which CREATE TABLE ... AS accepts. */
SqlNode ColumnOrName() :
{
    final SqlIdentifier name;
    final ColumnDefinition column;
}
{
    name = SimpleIdentifier()
    [ column = ColumnBody(name) { return column; } ]
    { return name; }
}

ColumnDefinition ColumnDefinition() :
{
    final SqlIdentifier name;
    final ColumnDefinition column;
}
{
    name = SimpleIdentifier() column = ColumnBody(name) { return column; }
}

ColumnDefinition ColumnBody(SqlIdentifier name) :
{
    final SqlDataTypeSpec type;
    final Identity identity;
    final ColumnBuilder builder;
}
{
    (
        LOOKAHEAD({ getToken(1).kind == IDENTITY })
        identity = IdentityClause() { builder = ColumnBuilder.ofIdentity(name, identity); }
    |
        type = DataType() { builder = new ColumnBuilder(name, type); }
    )
    ( ColumnClause(builder) )*
    { return builder.build(Span.of(name).end(this)); }
}

void ColumnClause(ColumnBuilder column) :
{
    SqlIdentifier constraintName = null;
    final SqlNode value;
    final Identity identity;
    final Constraint constraint;
    final Span s = Span.of();
}
{
    <DEFAULT_> { s.add(this); } value = DefaultValue() {
        column.defaultValue(s.end(this), value);
    }
|
    <COMMENT> SimpleStringLiteral()
|
    LOOKAHEAD({ SyntaxChecks.isWord(getToken(1).image, "AUTOINCREMENT") })
    <IDENTIFIER> { column.identity(new Identity(getPos(), false, 1, 1)); }
|
    <AUTO_INCREMENT> { column.identity(new Identity(getPos(), false, 1, 1)); }
|
    identity = IdentityClause() { column.identity(identity); }
|
    GeneratedClause(column)
|
    <AS> { s.add(this); } value = GeneratingExpression() { column.generation(s.end(this), value); }
|
    [ <CONSTRAINT> { s.add(this); } constraintName = SimpleIdentifier() ]
    (
        <NOT> { s.add(this); } <NULL> { column.nullable(s.end(this), false); }
    |
        <NULL> { column.nullable(s.end(this), true); }
    |
        <PRIMARY> { s.add(this); } <KEY> {
            column.constraint(new PrimaryKeyConstraint(s.end(this), constraintName, column.nameOnly()));
        }
    |
        <UNIQUE> NullsDistinctOpt() { column.constraint(new UniqueConstraint(s.end(this), constraintName, column.nameOnly())); }
    |
        constraint = CheckClause(s, constraintName) { column.constraint(constraint); }
    |
        constraint = ReferencesClause(s, constraintName, column.nameOnly()) { column.constraint(constraint); }
    )
}

/** An expression, or one bit as MySQL writes it: b'0'. */
SqlNode DefaultValue() :
{
    final SqlNode value;
}
{
    LOOKAHEAD({ SyntaxChecks.isBit(getToken(1).image, getToken(2).image) })
    <IDENTIFIER> <QUOTED_STRING> { return SyntaxChecks.bit(getPos(), token.image); }
|
    value = Expression(ExprContext.ACCEPT_NON_QUERY) { return value; }
}

/** GENERATED ... AS IDENTITY or AS (an expression). */
void GeneratedClause(ColumnBuilder column) :
{
    boolean always = false;
    final SequenceOptions sequence = new SequenceOptions();
    final SqlNode value;
    final Span s;
}
{
    <GENERATED> { s = span(); }
    ( <ALWAYS> { always = true; } | <BY> <DEFAULT_> )
    <AS>
    (
        <IDENTITY>
        [ <LPAREN> SequenceOption(sequence) ( [ <COMMA> ] SequenceOption(sequence) )* <RPAREN> ]
        { column.identity(SyntaxChecks.identity(s.end(this), always, sequence)); }
    |
        value = GeneratingExpression() {
            SyntaxChecks.generated(s.end(this), always);
            column.generation(s.end(this), value);
        }
    )
}

SqlNode GeneratingExpression() :
{
    final SqlNode value;
}
{
    <LPAREN> value = Expression(ExprContext.ACCEPT_NON_QUERY) <RPAREN>
    [ LOOKAHEAD({ getToken(1).kind == IDENTIFIER && SyntaxChecks.isStorage(getToken(1).image) }) <IDENTIFIER> ]
    { return value; }
}

Identity IdentityClause() :
{
    long start = 1;
    long increment = 1;
    final Span s;
}
{
    <IDENTITY> { s = span(); }
    [
        <LPAREN>
        start = SignedLong()
        [ <COMMA> increment = SignedLong() ]
        <RPAREN>
    ]
    { return new Identity(s.end(this), false, start, increment); }
}

long SignedLong() :
{
    boolean negative = false;
    final Token digits;
}
{
    [ <MINUS> { negative = true; } | <PLUS> ]
    digits = <UNSIGNED_INTEGER_LITERAL> {
        return SyntaxChecks.parseLong(getPos(), negative, digits.image);
    }
}

SqlNode CreateIndexBody(Span s, boolean unique) :
{
    final boolean ifNotExists;
    SqlIdentifier name = null;
    final SqlIdentifier table;
    final List<SqlNode> columns = new ArrayList<SqlNode>();
    SqlNode condition = null;
}
{
    [ LOOKAHEAD({ SyntaxChecks.isConcurrently(getToken(1).image, getToken(2).image) }) WordOf("CONCURRENTLY") ]
    ifNotExists = IfNotExistsOpt()
    [ name = CompoundIdentifier() ] <ON> table = CompoundIdentifier()
    [ <USING> IndexKind() ]
    <LPAREN> IndexColumn(columns) ( <COMMA> IndexColumn(columns) )* <RPAREN>
    [
        LOOKAHEAD({ !unique && getToken(1).kind == INCLUDE })
        <INCLUDE> <LPAREN> IndexColumn(columns) ( <COMMA> IndexColumn(columns) )* <RPAREN>
    ]
    [ condition = Where() ]
    {
        return new CreateIndex(s.end(this), name, table,
            new SqlNodeList(columns, Span.of(columns).pos()), condition, unique, ifNotExists);
    }
}

void IndexColumn(List<SqlNode> columns) :
{
    final SqlNode key;
    boolean descending = false;
}
{
    key = Expression(ExprContext.ACCEPT_NON_QUERY) [ <ASC> | <DESC> { descending = true; } ]
    [ <NULLS> ( <FIRST> | <LAST> ) ] // queries get the order of NULLs they ask for, with any index
    { columns.add(new IndexColumn(Span.of(key).end(this), key, descending)); }
}

SqlNode CreateSchemaBody(Span s) :
{
    final boolean ifNotExists;
    final SqlIdentifier name;
}
{
    ifNotExists = IfNotExistsOpt() name = CompoundIdentifier()
    [
        LOOKAHEAD({ getToken(1).kind == AUTHORIZATION && SyntaxChecks.isOnlyUser(getToken(2).image) })
        <AUTHORIZATION> SimpleIdentifier()
    ]
    { return new CreateSchema(s.end(this), name, ifNotExists); }
}

SqlNode CreateViewBody(Span s, boolean replace) :
{
    final boolean ifNotExists;
    final SqlIdentifier name;
    SqlNodeList columns = SqlNodeList.EMPTY;
    final SqlNode query;
}
{
    ifNotExists = IfNotExistsOpt() name = CompoundIdentifier()
    [ columns = ParenthesizedSimpleIdentifierList() ]
    <AS> query = UnlockedQuery() {
        SubQueryLocks.refuseIn(query);
        return new CreateView(s.end(this), name, replace, ifNotExists, columns, query);
    }
}

SqlNode CreateSequenceBody(Span s) :
{
    final boolean ifNotExists;
    final SqlIdentifier name;
    SqlDataTypeSpec type = null;
    final SequenceOptions sequence = new SequenceOptions();
}
{
    ifNotExists = IfNotExistsOpt() name = CompoundIdentifier()
    [ <AS> type = DataType() ]
    ( SequenceOption(sequence) )*
    { return ChangeSequence.create(s.end(this), name, ifNotExists, type, sequence); }
}

void SequenceOption(SequenceOptions sequence) :
{
    long number;
    final SqlIdentifier column;
}
{
    <START> [ <WITH> ] number = SignedLong() { sequence.setStart(number); }
|
    <INCREMENT> [ <BY> ] number = SignedLong() { sequence.setIncrement(getPos(), number); }
|
    <MINVALUE> number = SignedLong() { sequence.setLeast(number); }
|
    <MAXVALUE> number = SignedLong() { sequence.setGreatest(number); }
|
    <CYCLE> { sequence.setCycle(true); }
|
    LOOKAHEAD(2) <NO> <CYCLE> { sequence.setCycle(false); }
|
    LOOKAHEAD(2) <NO> <MINVALUE>
|
    LOOKAHEAD(2) <NO> <MAXVALUE>
|
    <NO> WordOf("CACHE")
|
    LOOKAHEAD({ getToken(1).kind == IDENTIFIER && "CACHE".equalsIgnoreCase(getToken(1).image) }) WordOf("CACHE") number = SignedLong()
|
    LOOKAHEAD({ getToken(1).kind == IDENTIFIER && "OWNED".equalsIgnoreCase(getToken(1).image) })
    WordOf("OWNED") <BY> column = CompoundIdentifier() { sequence.setOwner(column); }
|
    LOOKAHEAD({ SyntaxChecks.isSequenceWord(getToken(1).image) })
    <IDENTIFIER> { SyntaxChecks.sequenceWord(token.image, sequence); }
|
    LOOKAHEAD({ SyntaxChecks.isWord(getToken(1).image, "ENGINE") }) <IDENTIFIER> [ <EQ> ] SimpleIdentifier()
|
    <ORDER>
|
    <SEQUENCE> <NAME> CompoundIdentifier() // the numbers of an identity have a name of their own
|
    <RESTART> { sequence.setRestart(null); }
    [ [ <WITH> ] number = SignedLong() { sequence.setRestart(number); } ]
}

void WordOf(String word) :
{}
{
    <IDENTIFIER> { SyntaxChecks.word(getPos(), token.image, word); }
}

SqlNode DropStatement() :
{
    final Span s;
    boolean ifExists;
    SqlIdentifier name;
    SqlIdentifier table = null;
    final List<SqlNode> names = new ArrayList<SqlNode>();
    final DropBehavior behavior;
}
{
    <DROP> { s = span(); }
    (
        <TABLE> ifExists = IfExistsOpt()
        name = CompoundIdentifier() { names.add(name); }
        ( <COMMA> name = CompoundIdentifier() { names.add(name); } )*
        ifExists = IfExistsBehind(ifExists)
        behavior = DropBehaviorOpt() {
            return DropObject.tables(s.end(this), new SqlNodeList(names, Span.of(names).pos()), ifExists, behavior);
        }
    |
        <VIEW> ifExists = IfExistsOpt()
        name = CompoundIdentifier() { names.add(name); }
        ( <COMMA> name = CompoundIdentifier() { names.add(name); } )*
        ifExists = IfExistsBehind(ifExists)
        behavior = DropBehaviorOpt() {
            return DropObject.views(s.end(this), new SqlNodeList(names, Span.of(names).pos()), ifExists, behavior);
        }
    |
        <SEQUENCE> ifExists = IfExistsOpt()
        name = CompoundIdentifier() { names.add(name); }
        ( <COMMA> name = CompoundIdentifier() { names.add(name); } )*
        ifExists = IfExistsBehind(ifExists)
        behavior = DropBehaviorOpt() {
            return DropObject.sequences(s.end(this), new SqlNodeList(names, Span.of(names).pos()), ifExists, behavior);
        }
    |
        <INDEX>
        [ LOOKAHEAD({ SyntaxChecks.isConcurrently(getToken(1).image, getToken(2).image) }) WordOf("CONCURRENTLY") ]
        ifExists = IfExistsOpt()
        name = CompoundIdentifier() { names.add(name); }
        ( <COMMA> name = CompoundIdentifier() { names.add(name); } )*
        ifExists = IfExistsBehind(ifExists)
        [ <ON> table = CompoundIdentifier() ]
        DropBehaviorOpt() {
            return DropObject.indexes(s.end(this), new SqlNodeList(names, Span.of(names).pos()), table, ifExists);
        }
    |
        <SCHEMA> ifExists = IfExistsOpt() name = CompoundIdentifier() ifExists = IfExistsBehind(ifExists)
        behavior = DropBehaviorOpt() {
            return DropObject.schema(s.end(this), name, ifExists, behavior);
        }
    )
}

SqlNode TruncateStatement() :
{
    final Span s;
    SqlIdentifier name;
    final List<SqlNode> names = new ArrayList<SqlNode>();
    boolean restarts = false;
    final DropBehavior behavior;
}
{
    <TRUNCATE> { s = span(); } [ <TABLE> ] name = CompoundIdentifier() { names.add(name); }
    ( <COMMA> name = CompoundIdentifier() { names.add(name); } )*
    [ <RESTART> <IDENTITY> { restarts = true; } | <CONTINUE> <IDENTITY> ]
    behavior = DropBehaviorOpt() {
        return new TruncateTable(s.end(this), new SqlNodeList(names, Span.of(names).pos()), restarts, behavior);
    }
}

SqlNode AlterStatement() :
{
    final Span s;
    final boolean ifExists;
    final SqlIdentifier name;
    final SqlIdentifier newName;
    TableChange change;
    final List<SqlNode> changes = new ArrayList<SqlNode>();
    final SequenceOptions sequence = new SequenceOptions();
    final SqlNode option;
    final String scope;
}
{
    <ALTER> { s = span(); }
    (
        <TABLE> ifExists = IfExistsOpt()
        [ LOOKAHEAD({ getToken(1).kind == ONLY && !SyntaxChecks.isBehindTable(getToken(2).image) }) <ONLY> ]
        name = CompoundIdentifier()
        [
            LOOKAHEAD( <DROP> IndexWord() SimpleIdentifier() )
            <DROP> IndexWord() newName = SimpleIdentifier() {
                return DropObject.indexes(s.end(this), SqlNodeList.of(newName), name, false);
            }
        ]
        TableChanges(changes)
        ( <COMMA> TableChanges(changes) )* {
            return new AlterTable(s.end(this), name, ifExists,
                new SqlNodeList(changes, Span.of(changes).pos()));
        }
    |
        <SEQUENCE> ifExists = IfExistsOpt() name = CompoundIdentifier()
        (
            newName = NewName() {
                return new RenameObject(s.end(this), StatementKind.ALTER_SEQUENCE, name, ifExists, newName);
            }
        |
            ( SequenceOption(sequence) )+ {
                return ChangeSequence.alter(s.end(this), name, ifExists, sequence);
            }
        )
    |
        <VIEW> ifExists = IfExistsOpt() name = CompoundIdentifier() newName = NewName() {
            return new RenameObject(s.end(this), StatementKind.ALTER_VIEW, name, ifExists, newName);
        }
    |
        <INDEX> ifExists = IfExistsOpt() name = CompoundIdentifier() newName = NewName() {
            return new RenameObject(s.end(this), StatementKind.ALTER_INDEX, name, ifExists, newName);
        }
    |
        scope = Scope() option = SqlSetOption(s, scope) { return option; }
    )
}

SqlIdentifier NewName() :
{
    final SqlIdentifier name;
}
{
    <RENAME> <TO> name = SimpleIdentifier() { return name; }
}

/** A change; or ADD with a list of columns in parentheses, as H2 and Oracle have it. */
void TableChanges(List<SqlNode> changes) :
{
    final Span s;
    final SqlIdentifier name;
    final TableChange change;
    ColumnDefinition column;
}
{
    LOOKAHEAD( <ADD> [ <COLUMN> ] <LPAREN> )
    <ADD> { s = span(); } [ <COLUMN> ] <LPAREN>
    column = ColumnDefinition() { changes.add(new AddColumn(s.end(this), column, false)); }
    ( <COMMA> column = ColumnDefinition() { changes.add(new AddColumn(s.end(this), column, false)); } )*
    <RPAREN>
|
    LOOKAHEAD({ SyntaxChecks.isWord(getToken(1).image, "MODIFY") })
    <IDENTIFIER> { s = span(); } [ <COLUMN> ] column = ColumnDefinition() {
        changes.addAll(SyntaxChecks.modified(s.end(this), column));
    }
|
    LOOKAHEAD({ SyntaxChecks.isWord(getToken(1).image, "CHANGE") })
    <IDENTIFIER> { s = span(); } [ <COLUMN> ] name = SimpleIdentifier() column = ColumnDefinition() {
        if (!name.getSimple().equals(column.name().getSimple())) {
            changes.add(new RenameColumn(s.end(this), name, column.name()));
        }
        changes.addAll(SyntaxChecks.modified(s.end(this), column));
    }
|
    change = TableChange() { changes.add(change); }
}

/** RENAME TABLE a TO b, as MySQL has it. */
SqlNode RenameTableStatement() :
{
    final Span s;
    final SqlIdentifier name;
    final SqlIdentifier newName;
}
{
    <RENAME> { s = span(); } <TABLE> name = CompoundIdentifier() <TO> newName = SimpleIdentifier() {
        return new AlterTable(s.end(this), name, false, SqlNodeList.of(new RenameTable(s.end(this), newName)));
    }
}

TableChange TableChange() :
{
    final TableChange change;
}
{
    ( change = AddChange() | change = DropChange() | change = RenameChange() | change = AlterColumnChange() )
    { return change; }
}

TableChange AddChange() :
{
    final Span s;
    final Constraint constraint;
    final ColumnDefinition column;
    final boolean ifNotExists;
}
{
    <ADD> { s = span(); }
    (
        LOOKAHEAD( IndexWord() [ SimpleIdentifier() ] <LPAREN> SimpleIdentifier() )
        constraint = TableIndex() { return new AddConstraint(s.end(this), constraint); }
    |
        constraint = TableConstraint() { return new AddConstraint(s.end(this), constraint); }
    |
        [ <COLUMN> ] ifNotExists = IfNotExistsOpt() column = ColumnDefinition() {
            return new AddColumn(s.end(this), column, ifNotExists);
        }
    )
}

TableChange DropChange() :
{
    final Span s;
    final boolean ifExists;
    final SqlIdentifier name;
    final DropBehavior behavior;
}
{
    <DROP> { s = span(); }
    (
        <CONSTRAINT> ifExists = IfExistsOpt() name = ConstraintName() behavior = DropBehaviorOpt() {
            return new DropElement(s.end(this), DropElement.Element.CONSTRAINT, name, ifExists, behavior);
        }
    |
        LOOKAHEAD(2) <PRIMARY> <KEY> { return new DropPrimaryKey(s.end(this)); }
    |
        LOOKAHEAD(2) <FOREIGN> <KEY> ifExists = IfExistsOpt() name = SimpleIdentifier() {
            return new DropElement(s.end(this), DropElement.Element.CONSTRAINT, name, ifExists, DropBehavior.UNSPECIFIED);
        }
    |
        [ <COLUMN> ] ifExists = IfExistsOpt() name = SimpleIdentifier() behavior = DropBehaviorOpt() {
            return new DropElement(s.end(this), DropElement.Element.COLUMN, name, ifExists, behavior);
        }
    )
}

TableChange RenameChange() :
{
    final Span s;
    final SqlIdentifier name;
    final SqlIdentifier newName;
}
{
    <RENAME> { s = span(); }
    (
        <TO> newName = SimpleIdentifier() { return new RenameTable(s.end(this), newName); }
    |
        <CONSTRAINT> name = SimpleIdentifier() <TO> newName = SimpleIdentifier() {
            return new RenameConstraint(s.end(this), name, newName);
        }
    |
        [ <COLUMN> ] name = SimpleIdentifier() <TO> newName = SimpleIdentifier() {
            return new RenameColumn(s.end(this), name, newName);
        }
    )
}

TableChange AlterColumnChange() :
{
    final Span s;
    final SqlIdentifier name;
    final AlterColumn.Action action;
    SqlDataTypeSpec type = null;
    SqlNode value = null;
    final SqlIdentifier newName;
    final long number;
    boolean always = false;
    final SequenceOptions sequence = new SequenceOptions();
}
{
    <ALTER> { s = span(); } [ <COLUMN> ] name = SimpleIdentifier()
    (
        LOOKAHEAD(2) <SET> <GENERATED>
        ( <ALWAYS> { action = AlterColumn.Action.SET_ALWAYS; } | <BY> <DEFAULT_> { action = AlterColumn.Action.SET_BY_DEFAULT; } )
    |
        LOOKAHEAD(2) <DROP> <IDENTITY> IfExistsOpt() { action = AlterColumn.Action.DROP_IDENTITY; }
    |
        <ADD> <GENERATED> ( <ALWAYS> { always = true; } | <BY> <DEFAULT_> ) <AS> <IDENTITY>
        [ <LPAREN> SequenceOption(sequence) ( [ <COMMA> ] SequenceOption(sequence) )* <RPAREN> ]
        { action = AlterColumn.Action.ADD_IDENTITY; value = SyntaxChecks.identity(s.end(this), always, sequence); }
    |
        LOOKAHEAD(2) <SET> <DEFAULT_> value = Expression(ExprContext.ACCEPT_NON_QUERY) {
            action = AlterColumn.Action.SET_DEFAULT;
        }
    |
        LOOKAHEAD(2) <SET> <NOT> <NULL> { action = AlterColumn.Action.SET_NOT_NULL; }
    |
        [ <SET> <DATA> ] <TYPE> type = DataType() { action = AlterColumn.Action.SET_TYPE; }
        [ <USING> value = Expression(ExprContext.ACCEPT_NON_QUERY) ]
    |
        LOOKAHEAD(2) <DROP> <DEFAULT_> { action = AlterColumn.Action.DROP_DEFAULT; }
    |
        LOOKAHEAD(2) <DROP> <NOT> <NULL> { action = AlterColumn.Action.DROP_NOT_NULL; }
    |
        LOOKAHEAD(2) <DROP> WordOf("EXPRESSION") { action = AlterColumn.Action.DROP_EXPRESSION; }
    |
        <RENAME> <TO> newName = SimpleIdentifier() { return new RenameColumn(s.end(this), name, newName); }
    |
        <RESTART> { action = AlterColumn.Action.RESTART; }
        [ [ <WITH> ] number = SignedLong() {
            value = SqlLiteral.createExactNumeric(Long.toString(number), getPos());
        } ]
    |
        type = DataType() { action = AlterColumn.Action.SET_TYPE; }
    )
    { return new AlterColumn(s.end(this), name, action, type, value); }
}
