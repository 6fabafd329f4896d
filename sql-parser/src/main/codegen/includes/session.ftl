<#-- Transactions, settings, maintenance. -->

/** Whether another transaction begins at once, with the properties of the one that ends. */
boolean AndChain() :
{
    boolean chains = true;
}
{
    <AND> [ <NO> { chains = false; } ] <CHAIN> { return chains; }
|
    { return false; }
}

SqlNode TransactionStatement() :
{
    final Span s;
    final boolean chains;
    SqlIdentifier name = null;
    TransactionModes modes = TransactionModes.NONE;
}
{
    <START> { s = span(); } <TRANSACTION> [ modes = TransactionModeList() ] {
        return new StartTransaction(s.end(this), modes);
    }
|
    <BEGIN> { s = span(); } [ <TRANSACTION> | <WORK> ] [ modes = TransactionModeList() ] {
        return new StartTransaction(s.end(this), modes);
    }
|
    ( <COMMIT> | <END> ) { s = span(); } [ <TRANSACTION> | <WORK> ] chains = AndChain() {
        return new Commit(s.end(this), chains);
    }
|
    <ABORT> { s = span(); } [ <TRANSACTION> | <WORK> ] chains = AndChain() {
        return new Rollback(s.end(this), null, chains);
    }
|
    <ROLLBACK> { s = span(); } [ <TRANSACTION> | <WORK> ]
    (
        <TO> [ LOOKAHEAD(2) <SAVEPOINT> ] name = SimpleIdentifier() {
            return new Rollback(s.end(this), name, false);
        }
    |
        chains = AndChain() { return new Rollback(s.end(this), null, chains); }
    )
|
    <SAVEPOINT> { s = span(); } name = SimpleIdentifier() { return new NamedCommand(s.end(this), StatementKind.SAVEPOINT, name); }
|
    <RELEASE> { s = span(); } [ LOOKAHEAD(2) <SAVEPOINT> ] name = SimpleIdentifier() {
        return new NamedCommand(s.end(this), StatementKind.RELEASE_SAVEPOINT, name);
    }
}

TransactionModes TransactionModeList() :
{
    TransactionModes modes = TransactionModes.NONE;
}
{
    modes = TransactionMode(modes) ( [ <COMMA> ] modes = TransactionMode(modes) )*
    { return modes; }
}

TransactionModes TransactionMode(TransactionModes modes) :
{
    final IsolationLevel level;
}
{
    <ISOLATION> <LEVEL> level = IsolationLevelName() { return modes.withIsolation(level); }
|
    LOOKAHEAD(2) <READ> <ONLY> { return modes.withReadOnly(true); }
|
    <READ> <WRITE> { return modes.withReadOnly(false); }
}

IsolationLevel IsolationLevelName() :
{}
{
    LOOKAHEAD(2) <READ> <UNCOMMITTED> { return IsolationLevel.READ_UNCOMMITTED; }
|
    <READ> <COMMITTED> { return IsolationLevel.READ_COMMITTED; }
|
    <REPEATABLE> <READ> { return IsolationLevel.REPEATABLE_READ; }
|
    <SNAPSHOT> { return IsolationLevel.SNAPSHOT; }
|
    <SERIALIZABLE> { return IsolationLevel.SERIALIZABLE; }
}

SqlNode SetStatement() :
{
    final Span s;
    final TransactionModes modes;
    final SqlNode statement;
    final String value;
}
{
    LOOKAHEAD({ getToken(1).kind == SET && getToken(2).kind == NAMES })
    <SET> { s = span(); } <NAMES> value = PropertyValue() {
        return SetProperty.names(s.end(this), value);
    }
|
    LOOKAHEAD(2) <SET> { s = span(); } <TRANSACTION> modes = TransactionModeList() {
        return new SetTransaction(s.end(this), modes, SetTransaction.Scope.NEXT_TRANSACTION);
    }
|
    LOOKAHEAD(3) <SET> { s = span(); } <SESSION> <CHARACTERISTICS> <AS> <TRANSACTION> modes = TransactionModeList() {
        return new SetTransaction(s.end(this), modes, SetTransaction.Scope.SESSION);
    }
|
    LOOKAHEAD(2) <SET> { s = span(); } <SCHEMA> statement = SetSchemaBody(s) { return statement; }
|
    LOOKAHEAD(2) <SET> { s = span(); } <TIME> statement = SetZoneBody(s) { return statement; }
|
    LOOKAHEAD(3) <SET> { s = span(); } <SESSION> <TIME> statement = SetZoneBody(s) { return statement; }
|
    LOOKAHEAD(<SET> <LOCAL> ( <TIME> <ZONE> | CompoundIdentifier() ( <EQ> | <TO> ) ) )
    <SET> { s = span(); } <LOCAL>
    ( <TIME> statement = SetZoneBody(s) | statement = SetPropertyBody(s) )
    { return ((SetProperty) statement).local(); }
|
    <SET> { s = span(); } [ LOOKAHEAD(<SESSION> SimpleIdentifier()) <SESSION> ]
    statement = SetPropertyBody(s) { return statement; }
|
    <RESET> { s = span(); } statement = ResetBody(s) { return statement; }
}

SqlNode SetZoneBody(Span s) :
{
    final SqlIdentifier name;
    final String zone;
    final List<String> values = new ArrayList<String>();
}
{
    <ZONE> { name = new SqlIdentifier("TIMEZONE", s.pos()); }
    (
        ( <LOCAL> | <DEFAULT_> )
    |
        zone = PropertyValue() { values.add(zone); }
    )
    { return new SetProperty(s.end(this), name, values); }
}

SqlNode SetPropertyBody(Span s) :
{
    final SqlIdentifier name;
    String value;
    final List<String> values = new ArrayList<String>();
}
{
    name = CompoundIdentifier()
    ( <EQ> | <TO> | LOOKAHEAD({ getToken(1).kind == UNSIGNED_INTEGER_LITERAL }) {} )
    (
        <DEFAULT_>
    |
        <INTERVAL> { values.add("INTERVAL"); }
    |
        value = PropertyValue() { values.add(value); }
        ( <COMMA> value = PropertyValue() { values.add(value); } )*
    )
    { return new SetProperty(s.end(this), name, values); }
}

SqlNode ResetBody(Span s) :
{
    final SqlIdentifier name;
}
{
    (
        <ALL> { name = new SqlIdentifier("ALL", getPos()); }
    |
        LOOKAHEAD(2) <TIME> <ZONE> { name = new SqlIdentifier("TIMEZONE", getPos()); }
    |
        name = CompoundIdentifier()
    )
    { return new SetProperty(s.end(this), name, new ArrayList<String>()); }
}

/** A text, a number, or a word. */
String PropertyValue() :
{
    final String text;
    final SqlIdentifier word;
    final SqlNode number;
}
{
    text = SimpleStringLiteral() { return text; }
|
    number = NumericLiteral() { return number.toString(); }
|
    ( <ON> { return "ON"; } | <TRUE> { return "TRUE"; } | <FALSE> { return "FALSE"; } | <NULL> { return ""; } )
|
    word = SimpleIdentifier() { return word.getSimple(); }
}

SqlNode ShowStatement() :
{
    final Span s;
    final SqlIdentifier subject;
    SqlIdentifier from = null;
}
{
    <SHOW> { s = span(); }
    (
        <ALL> { subject = new SqlIdentifier("ALL", getPos()); }
    |
        LOOKAHEAD(2) <TIME> <ZONE> { subject = new SqlIdentifier("TIMEZONE", getPos()); }
    |
        LOOKAHEAD(2) <TRANSACTION> <ISOLATION> <LEVEL> {
            subject = new SqlIdentifier("TRANSACTION_ISOLATION", getPos());
        }
    |
        subject = CompoundIdentifier()
    )
    [ ( <FROM> | <IN> ) from = CompoundIdentifier() ]
    { return new Show(s.end(this), subject, from); }
}

SqlNode CommentStatement() :
{
    final Span s;
    final CommentOn.Target target;
    final SqlIdentifier name;
    SqlIdentifier table = null;
    String text = null;
}
{
    <COMMENT> { s = span(); } <ON>
    (
        <CONSTRAINT> name = SimpleIdentifier() <ON> table = CompoundIdentifier() {
            target = CommentOn.Target.CONSTRAINT;
        }
    |
        (
            <TABLE> { target = CommentOn.Target.TABLE; }
        |
            <VIEW> { target = CommentOn.Target.VIEW; }
        |
            <COLUMN> { target = CommentOn.Target.COLUMN; }
        |
            <INDEX> { target = CommentOn.Target.INDEX; }
        |
            <SEQUENCE> { target = CommentOn.Target.SEQUENCE; }
        |
            <SCHEMA> { target = CommentOn.Target.SCHEMA; }
        )
        name = CompoundIdentifier()
    )
    <IS> ( text = SimpleStringLiteral() | <NULL> )
    { return new CommentOn(s.end(this), target, name, table, text); }
}

SqlNode SetSchemaBody(Span s) :
{
    final SqlIdentifier name;
    final String text;
}
{
    [ <EQ> ]
    (
        name = SimpleIdentifier()
    |
        text = SimpleStringLiteral() { name = new SqlIdentifier(text, getPos().withQuoting(true)); }
    )
    { return new NamedCommand(s.end(this), StatementKind.SET_SCHEMA, name); }
}

/** Statements that begin with a word that is no keyword. */
SqlNode WordStatement() :
{
    final Span s;
    final SqlIdentifier name;
    SqlIdentifier table = null;
}
{
    LOOKAHEAD({ SyntaxChecks.isWord(getToken(1).image, "USE") })
    <IDENTIFIER> { s = span(); } name = SimpleIdentifier() { return new NamedCommand(s.end(this), StatementKind.SET_SCHEMA, name); }
|
    LOOKAHEAD({ SyntaxChecks.isWord(getToken(1).image, "DISCARD") })
    <IDENTIFIER> { s = span(); } ( <ALL> | <TEMPORARY> | <IDENTIFIER> ) {
        return SyntaxChecks.discard(s.end(this), token.image);
    }
|
    LOOKAHEAD({ SyntaxChecks.isWord(getToken(1).image, "VACUUM") })
    <IDENTIFIER> { s = span(); }
    [ LOOKAHEAD(1) <LPAREN> SimpleIdentifier() ( <COMMA> SimpleIdentifier() )* <RPAREN> ]
    ( LOOKAHEAD({ SyntaxChecks.isVacuumOption(getToken(1).image) }) ( <FULL> | <ANALYZE> | <IDENTIFIER> ) )*
    [ table = CompoundIdentifier() ] { return new NamedCommand(s.end(this), StatementKind.ANALYZE_TABLE, table); }
|
    LOOKAHEAD({ SyntaxChecks.isWord(getToken(1).image, "REINDEX") })
    <IDENTIFIER> { s = span(); } <TABLE> table = CompoundIdentifier() {
        return new NamedCommand(s.end(this), StatementKind.ANALYZE_TABLE, table);
    }
}

SqlNode MaintenanceStatement() :
{
    final Span s;
    SqlIdentifier table = null;
    final String directory;
    String log;
    String until = null;
    final List<String> logs = new ArrayList<String>();
    boolean isFull = false;
    boolean isSalvage = false;
}
{
    <BACKUP> { s = span(); } <TO> directory = SimpleStringLiteral() [ <FULL> { isFull = true; } ] {
        return new BackupDatabase(s.end(this), directory, isFull);
    }
|
    <CHECK> { s = span(); } ( <DATABASE> | <TABLE> table = CompoundIdentifier() ) {
        return new NamedCommand(s.end(this), StatementKind.CHECK, table);
    }
|
    <RESTORE> { s = span(); } <FROM> directory = SimpleStringLiteral()
    [
        <SALVAGE> { isSalvage = true; }
    |
        <LOG> log = SimpleStringLiteral() { logs.add(log); }
        ( <COMMA> log = SimpleStringLiteral() { logs.add(log); } )*
        [ <UNTIL> until = SimpleStringLiteral() ]
    ]
    {
        return new RestoreDatabase(s.end(this), directory, logs, until, isSalvage);
    }
|
    <SHUTDOWN> { return new Shutdown(getPos()); }
|
    <ANALYZE> { s = span(); } [ <TABLE> ] [ table = CompoundIdentifier() ] {
        return new NamedCommand(s.end(this), StatementKind.ANALYZE_TABLE, table);
    }
}
