/** Which tables a source file writes or names, through SQL in its strings and through calls of the query builder. */
import ts from 'typescript'

/** Stands for a table whose name is known only at run time. */
export const ANY_TABLE = '(any table)'

/** Stands for the parts of a template that are known only at run time. */
const FILLED_IN = '?'
const NAME = String.raw`((?:[a-z_][a-z0-9_]*\.)?(?:"[^"]+"|[a-z_][a-z0-9_]*)|\?)`
const WRITES = [
  String.raw`insert\s+into\s+${NAME}`,
  String.raw`merge\s+into\s+(?:only\s+)?${NAME}`,
  String.raw`delete\s+from\s+(?:only\s+)?${NAME}`,
  String.raw`truncate\s+table\s+(?:only\s+)?${NAME}`,
  String.raw`update\s+(?:only\s+)?${NAME}(?:\s+(?:as\s+)?[a-z_][a-z0-9_]*)?\s+set\b`,
  String.raw`copy\s+${NAME}\s*(?:\([^)]*\))?\s+from\b`,
].map((pattern) => new RegExp(String.raw`\b${pattern}`, 'gi'))

const NAMES = [
  new RegExp(String.raw`\b(?:from|join|using|into|update|table|lock|references)\s+(?:only\s+)?${NAME}`, 'gi'),
]

const BUILDER_CALLS = new Set(['insertInto', 'replaceInto', 'updateTable', 'deleteFrom', 'mergeInto'])
const NAMING_CALLS = new Set([...BUILDER_CALLS, 'selectFrom', 'innerJoin', 'leftJoin', 'rightJoin', 'fullJoin'])

/** In a string of SQL. */
export const tablesWrittenBySql = (text: string): string[] => findTables(text, WRITES)

/** Those that are read or written. A text that isn't SQL may have words after `from`, which name no table. */
export const tablesNamedBySql = (text: string): string[] => findTables(text, NAMES)

function findTables(text: string, patterns: RegExp[]): string[] {
  const statements = text.replace(/--.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '')
  return patterns.flatMap((pattern) =>
    [...statements.matchAll(pattern)].map(([, name]) => (name === FILLED_IN ? ANY_TABLE : name!.replaceAll('"', ''))),
  )
}

/** Most files write nothing and needn't be parsed. */
const MAY_WRITE =
  /insert\s+into|update\s|delete\s+from|merge\s+into|truncate\s|copy\s|insertInto|updateTable|deleteFrom|mergeInto|replaceInto|defineTally/i

/** In a TypeScript file; comments are ignored. */
export const tablesWrittenByCode = (text: string): string[] =>
  MAY_WRITE.test(text) ? tablesIn(text, tablesWrittenBySql, BUILDER_CALLS) : []

export const tablesNamedByCode = (text: string): string[] => tablesIn(text, tablesNamedBySql, NAMING_CALLS)

function tablesIn(text: string, find: (statement: string) => string[], calls: ReadonlySet<string>): string[] {
  const found: string[] = []
  const file = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, false)
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push(...find(node.text))
    if (ts.isTemplateExpression(node)) {
      const filled = node.templateSpans.map((span) => FILLED_IN + span.literal.text)
      found.push(...find(node.head.text + filled.join('')))
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [table] = node.arguments
      if (table && calls.has(node.expression.name.text)) {
        found.push(ts.isStringLiteral(table) ? table.text.split(' ')[0]! : ANY_TABLE)
      }
    }
    if (ts.isCallExpression(node) && node.expression.getText(file) === 'defineTally')
      found.push(...tablesOfTally(node.arguments[0]!))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** A tally is folded and rebuilt by statements that are built from its declaration. */
const tablesOfTally = (declaration: ts.Expression): string[] =>
  ts.isObjectLiteralExpression(declaration)
    ? declaration.properties.flatMap((property) =>
        ts.isPropertyAssignment(property) &&
        ts.isIdentifier(property.name) &&
        ['kept', 'changes'].includes(property.name.text)
          ? [ts.isStringLiteral(property.initializer) ? property.initializer.text : ANY_TABLE]
          : [],
      )
    : [ANY_TABLE]

/** In an SQL file: each function by its name, and the rest of the file under the empty name. */
export function tablesWrittenByFunctions(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const outside = text.replace(
    /create\s+(?:or\s+replace\s+)?(?:function|procedure)\s+([\w.]+)[\s\S]*?as\s+(\$\w*\$)([\s\S]*?)\2/gi,
    (_, name: string, _quote, body: string) => {
      found.set(name, tablesWrittenBySql(body))
      return ''
    },
  )
  return found.set('', tablesWrittenBySql(outside))
}
