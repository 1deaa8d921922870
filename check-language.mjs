/**
 * Refuses words that the glossary in CONTRIBUTING.md replaces, in everything a person reads: the documentation, the API's descriptions and
 * messages, the dashboard's texts, and comments in the SDK and the server. Strings are taken from the syntax tree, so SQL and imports
 * don't count. Identifiers in the server may not contain the few words that have no ordinary use in code.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'

/** Each expression is specific enough to have no ordinary use in these texts. */
const REPLACEMENTS = [
  [/\b(?:a|the|one|this|that|your|each) letter\b(?! encoded|-)/i, 'email, received email'],
  [/\banew\b/i, 'again'],
  [/\btold in\b/i, 'described in'],
  [/\bany more\b/i, 'no longer'],
  [/\balso when\b/i, 'even if, even when'],
  [/\bby itself\b/i, 'automatically'],
  [/\bno way back\b/i, 'danger zone'],
  [/\bwere so already\b/i, 'unchanged'],
  [/\bfares?\b/i, 'performance'],
  [/\bhindrances?\b|\bundertakers?\b|\btravellers?\b|\berrands?\b/i, 'the ordinary word of the glossary'],
  [/\b(?:look|looks) into your mail\b/i, 'check your inbox'],
  [/\bwhat comes back\b/i, 'event, response, report'],
  [/\bin (?:its|their|your|our) hands?\b/i, 'claimed'],
  [/\bis content with\b/i, 'a plain verb'],
  [/\bhands? over\b|\bhanded over\b/i, 'send, deliver'],
  [/\bis believed\b|\bare believed\b/i, 'is trusted, is accepted'],
  [/\bby hand\b(?!-)/i, 'manually'],
  [/\bcomes? (?:back|again)\b/i, 'is retried, returns'],
  [/\b(?:go|goes|going|went) out\b/i, 'is sent'],
  [/\b(?:writes?|written) down\b/i, 'record'],
  [/\bwhat became of\b|\bways out\b/i, 'outcome, branch'],
  [/\bjourneys?\b|\bunderway\b|\bforgiv(?:e|es|en|ing)\b|\bneglected\b/i, 'the ordinary word of the glossary'],
  [/\bwhoever\b|\bwhomever\b/i, 'people who, contacts that'],
  [/\b(?:service|server|database|API) (?:(?:did|does) not answer|doesn't answer|answers|answered)\b/i, 'responds'],
  [/\btrouble on the way\b|\bunless you say otherwise\b/i, 'connection error; by default'],
  [/\b(?:be|been|is|are|was|were) cancelled\b|\bcancelling\b/, 'canceled, canceling'],
  [/\d %(?!\})/, 'a percentage without a space, as in 5%'],
]

/** @param {string} text */
export function oddWordsIn(text) {
  return REPLACEMENTS.flatMap(([pattern, replacement]) => {
    const found = /** @type {RegExp} */ (pattern).exec(text)
    return found ? [{ found: found[0], replacement: String(replacement) }] : []
  })
}

/** The texts of a source file with their lines; SQL and comments are left out. @param {string} code @param {string} name */
export function textsOf(code, name) {
  const source = ts.createSourceFile(
    name,
    code,
    ts.ScriptTarget.Latest,
    true,
    name.endsWith('x') ? ts.ScriptKind.TSX : undefined,
  )
  /** @type {Array<{ line: number, text: string }>} */
  const texts = []
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isTaggedTemplateExpression(node) || ts.isImportDeclaration(node)) return
    if (ts.isStringLiteralLike(node) || ts.isJsxText(node) || ts.isTemplateLiteralToken(node)) {
      texts.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, text: node.text })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return texts
}

/** The documentation comments and line comments of a source file with their lines. @param {string} code */
export const commentsOf = (code) =>
  [...code.matchAll(/\/\*\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm)].map(({ index, 0: text }) => ({
    line: code.slice(0, index).split('\n').length,
    text: text.replaceAll(/\s*\n\s*\*\s?/g, ' '),
  }))

const ODD_IDENTIFIER =
  /[hH]indrance|[uU]ndertaker|[tT]raveller|[eE]rrand|[nN]eglected|[fF]orgiv|heardNext|[wW]hoever|^(?:forget|tell|tend|stir)[A-Z]/

/** Identifiers in the code of a source file, with their lines, that contain a word of the glossary. @param {string} code @param {string} name */
export function oddIdentifiersIn(code, name) {
  const source = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true)
  /** @type {Array<{ line: number, found: string }>} */
  const odd = []
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isIdentifier(node) && ODD_IDENTIFIER.test(node.text)) {
      odd.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, found: node.text })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return odd
}

const isReadByPeople = (/** @type {string} */ name) =>
  /^(?!CONTRIBUTING).*\.md$/.test(name) ||
  (/^(?:server|dashboard|sdk|e2e)\/.*\.tsx?$/.test(name) &&
    !/\.(?:test|spec)\.tsx?$|^server\/test\/|\/api-types\.ts$/.test(name))

const NOT_OURS = new Set(['node_modules', 'dist', 'data', '.git', 'test-results'])

/** @param {string} folder @returns {string[]} */
function sourceFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = folder === '.' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : sourceFiles(name)
    return entry.isFile() ? [name] : []
  })
}

function check() {
  const problems = sourceFiles('.')
    .filter(isReadByPeople)
    .flatMap((name) => {
      const content = readFileSync(name, 'utf8')
      const texts = /\.tsx?$/.test(name)
        ? [...textsOf(content, name), ...(/^(?:sdk|server)\//.test(name) ? commentsOf(content) : [])]
        : content.split('\n').map((text, i) => ({ line: i + 1, text }))
      const names = /^server\/.*\.ts$/.test(name) ? oddIdentifiersIn(content, name) : []
      return [
        ...names.map(({ line, found }) => `${name}:${line}: ${found} → a name of ordinary words`),
        ...texts.flatMap(({ line, text }) =>
          oddWordsIn(text).map(({ found, replacement }) => `${name}:${line}: "${found}" → ${replacement}`),
        ),
      ]
    })
  for (const problem of problems) console.error(problem)
  if (problems.length > 0)
    console.error(`\n${problems.length} texts use words that the glossary in CONTRIBUTING.md replaces.`)
  return problems.length === 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = check() ? 0 : 1
