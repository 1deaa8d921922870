/** Which tables a source file writes: by SQL in its texts, and by the calls of the query builder. */
import ts from 'typescript'

/** Stands for a table whose name is only known when the statement runs. */
export const ANY_TABLE = '(any table)'

/** In the place of what a text leaves open. */
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

const BUILDER_CALLS = new Set(['insertInto', 'replaceInto', 'updateTable', 'deleteFrom', 'mergeInto'])

/** In a text of SQL. */
export function tablesWrittenBySql(text: string): string[] {
  const statements = text.replace(/--.*$/gm, '').replace(/\/\*[\s\S]*?\*\//g, '')
  return WRITES.flatMap((pattern) =>
    [...statements.matchAll(pattern)].map(([, name]) => (name === FILLED_IN ? ANY_TABLE : name!.replaceAll('"', ''))),
  )
}

/** Most files write nothing, and need not be parsed. */
const MAY_WRITE =
  /insert\s+into|update\s|delete\s+from|merge\s+into|truncate\s|copy\s|insertInto|updateTable|deleteFrom|mergeInto|replaceInto/i

/** In a TypeScript file: comments are not looked at. */
export function tablesWrittenByCode(text: string): string[] {
  if (!MAY_WRITE.test(text)) return []
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
      found.push(...tablesWrittenBySql(node.text))
    if (ts.isTemplateExpression(node)) {
      const filled = node.templateSpans.map((span) => FILLED_IN + span.literal.text)
      found.push(...tablesWrittenBySql(node.head.text + filled.join('')))
    }
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [table] = node.arguments
      if (table && BUILDER_CALLS.has(node.expression.name.text)) {
        found.push(ts.isStringLiteral(table) ? table.text.split(' ')[0]! : ANY_TABLE)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, false))
  return found
}

/** In a file of SQL: each function by its name, and under the empty name what the file does itself. */
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
