/*
 * The grammar of .summ files.
 *
 * The grammar accepts a little more than the language has: a negative field number, a chain of comparisons, several key
 * blocks. In these cases the checker reports a better error than a syntax error. Rules recurse only through brackets,
 * whose depth is bounded before parsing. Chains of operators are loops.
 */
grammar Summ;

file
    : declaration* EOF
    ;

declaration
    : importDeclaration
    | eventDeclaration
    | summaryDeclaration
    | mapDeclaration
    ;

importDeclaration
    : IMPORT text SEMICOLON
    ;

eventDeclaration
    : EVENT qualifiedName ON text AS name dedupClause? SEMICOLON
    ;

dedupClause
    : DEDUP BY expression WITHIN DURATION
    ;

summaryDeclaration
    : SUMMARY name LBRACE summaryBlock* RBRACE
    ;

summaryBlock
    : keyDefinition
    | valueDefinition
    | limitDefinition
    | windowDefinition
    ;

limitDefinition
    : LIMIT limitBound+ (OVERFLOW ASSIGN OTHER)? SEMICOLON
    ;

limitBound
    : (KEYS | BYTES) ASSIGN amount
    ;

// A duration is no amount. The parser accepts it because `10m` is easily written for `10M`; the checker reports it.
amount
    : INTEGER
    | QUANTITY
    | DURATION
    ;

// `close after` is mandatory; the checker reports its absence.
windowDefinition
    : WINDOW column=name EVERY width=DURATION (ZONE text)? (CLOSE AFTER after=DURATION)? (KEEP keep=DURATION)? SEMICOLON
    ;

keyDefinition
    : KEY LBRACE keyItem* RBRACE
    ;

keyItem
    : reserved
    | field
    ;

valueDefinition
    : VALUE LBRACE valueItem* RBRACE
    ;

valueItem
    : summaryDeclaration
    | nestedField
    | reserved
    | field
    ;

field
    : type=name parameters? column=name ASSIGN integer SEMICOLON
    ;

parameters
    : LPAREN (parameter (COMMA parameter)*)? RPAREN
    ;

parameter
    : name ASSIGN integer
    ;

nestedField
    : REPEATED type=name column=name ASSIGN integer SEMICOLON
    ;

reserved
    : RESERVED reservedItem (COMMA reservedItem)* SEMICOLON
    ;

reservedItem
    : from=integer (TO to=integer)?
    | text
    ;

mapDeclaration
    : MAP qualifiedName (ON text)? INTO name whereClause? block
    ;

whereClause
    : WHERE expression
    ;

block
    : LBRACE statement* RBRACE
    ;

statement
    : keyStatement
    | forStatement
    | updateStatement
    | nestedStatement
    ;

keyStatement
    : KEY LBRACE keyAssignment* RBRACE
    ;

keyAssignment
    : name (ASSIGN expression)? SEMICOLON
    ;

forStatement
    : FOR name (COMMA name)? IN path whereClause? block
    ;

updateStatement
    : name ADD expression whereClause? SEMICOLON
    ;

nestedStatement
    : name LBRACKET nestedKey (COMMA nestedKey)* RBRACKET whereClause? block
    ;

nestedKey
    : name (ASSIGN expression)?
    ;

// A condition that stands alone, as in a query.
condition
    : expression EOF
    ;

path
    : operandName (DOT name)*
    ;

qualifiedName
    : name (DOT name)*
    ;

expression
    : conjunction (OR conjunction)*
    ;

conjunction
    : negation (AND negation)*
    ;

negation
    : NOT* comparison
    ;

comparison
    : sum comparisonTail*
    ;

comparisonTail
    : operator=(EQ | NE | LT | LE | GT | GE) sum
    | operator=IN LPAREN expression (COMMA expression)* RPAREN
    ;

sum
    : product (sumOperator product)*
    ;

sumOperator
    : PLUS
    | MINUS
    ;

product
    : unary (productOperator unary)*
    ;

productOperator
    : STAR
    | SLASH
    | PERCENT
    ;

unary
    : MINUS* postfix
    ;

postfix
    : primary suffix*
    ;

suffix
    : DOT name
    | LBRACKET expression RBRACKET
    ;

primary
    : INTEGER
    | DECIMAL
    | DURATION
    | text
    | TRUE
    | FALSE
    | NULL
    | call
    | operandName
    | LPAREN expression RPAREN
    ;

call
    : operandName LPAREN (expression (COMMA expression)*)? RPAREN
    ;

integer
    : MINUS? INTEGER
    ;

text
    : STRING
    ;

// Where a name must stand, any word is a name.
name
    : IDENTIFIER
    | QUOTED
    | IMPORT
    | EVENT
    | ON
    | AS
    | DEDUP
    | BY
    | WITHIN
    | SUMMARY
    | KEY
    | VALUE
    | REPEATED
    | RESERVED
    | LIMIT
    | KEYS
    | BYTES
    | OVERFLOW
    | OTHER
    | WINDOW
    | EVERY
    | ZONE
    | CLOSE
    | AFTER
    | KEEP
    | TO
    | MAP
    | INTO
    | WHERE
    | FOR
    | IN
    | AND
    | OR
    | NOT
    | TRUE
    | FALSE
    | NULL
    ;

// Within expressions, the words of operators are distinguished from names before parsing, by the tokens next to them.
operandName
    : IDENTIFIER
    | QUOTED
    | IMPORT
    | EVENT
    | ON
    | AS
    | DEDUP
    | BY
    | WITHIN
    | SUMMARY
    | KEY
    | VALUE
    | REPEATED
    | RESERVED
    | LIMIT
    | KEYS
    | BYTES
    | OVERFLOW
    | OTHER
    | WINDOW
    | EVERY
    | ZONE
    | CLOSE
    | AFTER
    | KEEP
    | TO
    | MAP
    | INTO
    | FOR
    ;

IMPORT: 'import';
EVENT: 'event';
ON: 'on';
AS: 'as';
DEDUP: 'dedup';
BY: 'by';
WITHIN: 'within';
SUMMARY: 'summary';
KEY: 'key';
VALUE: 'value';
REPEATED: 'repeated';
RESERVED: 'reserved';
LIMIT: 'limit';
KEYS: 'keys';
BYTES: 'bytes';
OVERFLOW: 'overflow';
OTHER: 'other';
WINDOW: 'window';
EVERY: 'every';
ZONE: 'zone';
CLOSE: 'close';
AFTER: 'after';
KEEP: 'keep';
TO: 'to';
MAP: 'map';
INTO: 'into';
WHERE: 'where';
FOR: 'for';
IN: 'in';
AND: 'and';
OR: 'or';
NOT: 'not';
TRUE: 'true';
FALSE: 'false';
NULL: 'null';

ADD: '+=';
ASSIGN: '=';
EQ: '==';
NE: '!=';
LE: '<=';
LT: '<';
GE: '>=';
GT: '>';
PLUS: '+';
MINUS: '-';
STAR: '*';
SLASH: '/';
PERCENT: '%';
LPAREN: '(';
RPAREN: ')';
LBRACKET: '[';
RBRACKET: ']';
LBRACE: '{';
RBRACE: '}';
COMMA: ',';
DOT: '.';
SEMICOLON: ';';

INTEGER: [0-9]+;
DECIMAL: [0-9]+ '.' [0-9]+ EXPONENT? | [0-9]+ EXPONENT;
DURATION: [0-9]+ ('ms' | 's' | 'm' | 'h' | 'd' | 'w' | 'mo' | 'y');
QUANTITY: [0-9]+ ('k' | 'K' | 'M' | 'G');
IDENTIFIER: [A-Za-z_] [A-Za-z0-9_]*;
QUOTED: '`' ~[`\r\n]+ '`';
STRING: '"' (~["\\\r\n] | '\\' ~[\r\n])* '"' | '\'' (~['\\\r\n] | '\\' ~[\r\n])* '\'';

LINE_COMMENT: '//' ~[\n]* -> channel(HIDDEN);
BLOCK_COMMENT: '/*' .*? '*/' -> channel(HIDDEN);
SPACE: [ \t\r\n\f]+ -> channel(HIDDEN);

// Text that is no token of the language. With these tokens the lexer never fails, and the parser reports the errors.
BAD_NUMBER: [0-9]+ ('.' [0-9]+)? [A-Za-z_] [A-Za-z0-9_]*;
OPEN_STRING: '"' (~["\\\r\n] | '\\' ~[\r\n])* '\\'? | '\'' (~['\\\r\n] | '\\' ~[\r\n])* '\\'?;
OPEN_QUOTED: '`' ~[`\r\n]*;
OPEN_COMMENT: '/*' (~'*' | '*'+ ~[*/])* '*'*;
FOREIGN_OPERATOR: '&&' | '||' | '<>' | '===' | '!==' | '=>' | '=<' | '-=' | '*=' | '/=' | '::' | '->' | '!';
UNKNOWN: .;

fragment EXPONENT: [eE] [+-]? [0-9]+;
