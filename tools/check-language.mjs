/**
 * Refuses words that the glossary in CONTRIBUTING.md replaces, in everything a person reads: the documentation, the API's descriptions and
 * messages, the dashboard's texts, names of tests, and comments. Strings are taken from the syntax tree, so SQL, imports and test data
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
  [/\bhand(?:s|ed|ing)? (?:over|out|back)\b/i, 'send, pass, release'],
  [/\bwe hand in\b|\bhanded in\b/i, 'submit'],
  [/\bis believed\b|\bare believed\b/i, 'is trusted, is accepted'],
  [/\bby hand\b(?!-)/i, 'manually'],
  [/\bcomes? (?:back|again)\b/i, 'is retried, returns'],
  [/\b(?:go|goes|going|went) out\b/i, 'is sent'],
  [/\b(?:writes?|written) down\b/i, 'record'],
  [/\bwhat bec[ao]mes? of\b|\bways out\b/i, 'outcome, branch'],
  [/\bjourneys?\b|\bunderway\b|\bforgiv(?:e|es|en|ing)\b|\bneglected\b/i, 'the ordinary word of the glossary'],
  [/\bwhoever\b|\bwhomever\b/i, 'people who, contacts that'],
  [/\b(?:service|server|database|API) (?:(?:did|does) not answer|doesn't answer|answers|answered)\b/i, 'responds'],
  [
    /\b(?:service|server|database|API|SES|SNS|DNS|PostgreSQL|transport) (?:says|said|hears|heard|tells|told|knows|knew|believes|wants|wanted)\b/i,
    'reports, returns, has',
  ],
  [
    /\b(?:is|are|was|were|be|been) (?:told (?:to|of|that|about)|tried again)\b|\btries again\b/i,
    'is notified, is retried',
  ],
  [
    /\b(?:worker|process|service|server|owner)s? (?:that )?(?:die|dies|died|lives)\b|\bdead (?:worker|process|server)/i,
    'exits, exited, is running',
  ],
  [/\bbulk e?-?mails?\b/i, 'marketing email'],
  [/\bstrangers?\b/i, 'anyone, another user'],
  [/\bby chance\b|\bover and over\b|\bagain and again\b/i, 'randomly, repeatedly'],
  [/\btrouble on the way\b|\bunless you say otherwise\b/i, 'connection error; by default'],
  [/\b(?:be|been|is|are|was|were) cancelled\b|\bcancelling\b/, 'canceled, canceling'],
  [/\d %(?!\})/, 'a percentage without a space, as in 5%'],
]

/** Ordinary in comments, where `id` is the name of a column or a field. */
const REPLACEMENTS_IN_TEXTS = [
  [/\b(?:[Aa]n?|[Tt]he|[Ii]ts|this|that|last|with|request|project|template|contact|segment|step) ids?\b/, 'ID, IDs'],
]

/** Such a comment is half a sentence, whose other half is the name below it. */
const REPLACEMENTS_IN_COMMENTS = [[/^(?:\/\*\*|\/\/) Of\b/, 'a comment that begins with its subject']]

/** @param {string} text @param {boolean} [isComment] */
export function oddWordsIn(text, isComment = false) {
  const special = isComment ? REPLACEMENTS_IN_COMMENTS : REPLACEMENTS_IN_TEXTS
  return [...REPLACEMENTS, ...special].flatMap(([pattern, replacement]) => {
    const found = /** @type {RegExp} */ (pattern).exec(text)
    return found ? [{ found: found[0], replacement: String(replacement) }] : []
  })
}

const STRAIGHT_APOSTROPHE = /\p{L}'\p{L}/u

/** The dashboard, public pages and emails use the typographic apostrophe, and everything for developers the straight one. */
const usesTypographicApostrophes = (/** @type {string} */ name) =>
  /^dashboard\/|\/(?:notices|notice-texts|texts-\w+)\.ts$/.test(name) && !isTest(name)

/** @param {string} text @param {string} name */
export function straightApostrophesIn(text, name) {
  const found = usesTypographicApostrophes(name) && STRAIGHT_APOSTROPHE.exec(text)
  return found ? [{ found: found[0], replacement: 'the apostrophe ’' }] : []
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

/** The names of the tests in a test file, with their lines. @param {string} code @param {string} name */
export function testNamesOf(code, name) {
  const source = ts.createSourceFile(name, code, ts.ScriptTarget.Latest, true)
  /** @type {Array<{ line: number, text: string, isGroup: boolean }>} */
  const names = []
  /** @param {ts.Node} node */
  const visit = (node) => {
    const [first] = ts.isCallExpression(node) ? node.arguments : []
    const called = first && testFunctionOf(/** @type {ts.CallExpression} */ (node).expression)
    if (called && ts.isStringLiteralLike(first)) {
      const line = source.getLineAndCharacterOfPosition(first.getStart()).line + 1
      names.push({ line, text: first.text, isGroup: called === 'describe' })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}

/** `it` for `it`, `it.skipIf(…)` and `it.each([…])`, and the same for `test` and `describe`. @param {ts.Expression} called @returns {string | undefined} */
function testFunctionOf(called) {
  if (ts.isPropertyAccessExpression(called) || ts.isCallExpression(called)) return testFunctionOf(called.expression)
  return ts.isIdentifier(called) && ['it', 'test', 'describe'].includes(called.text) ? called.text : undefined
}

/** A test's name is the predicate of its `describe`, or a sentence of its own: `is removed if it is old`, not `that is old is removed`. */
const HALF_A_PHRASE = /^(?:of|that|with|through)\b/i

/** Names of tests that begin in the middle of a phrase. @param {string} code @param {string} name */
export const partialTestNamesIn = (code, name) =>
  testNamesOf(code, name).flatMap(({ line, text, isGroup }) => {
    const found = isGroup ? null : HALF_A_PHRASE.exec(text)
    return found ? [{ line, found: `${found[0]} …`, replacement: 'a name that begins with a verb or a subject' }] : []
  })

const ODD_IDENTIFIER =
  /[hH]indrance|[uU]ndertaker|[tT]raveller|[eE]rrand|[nN]eglected|[fF]orgiv|heardNext|[wW]hoever|^(?:forget|tell|tend|stir|settle|note|handBack|giveBack)[A-Z]/

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

/**
 * Whether a text in the code can be odd. This takes less time than parsing it, which few files need then.
 * @param {string} code @param {string} name
 */
function mayHaveOddTexts(code, name) {
  const text = code.replaceAll(/\\(?:u\{?[\da-f]+\}?|x[\da-f]{2}|[bfnrtv\n])/gi, ' ').replaceAll('\\', '')
  return ODD_WORD.test(text) || straightApostrophesIn(text, name).length > 0
}

const ODD_WORD = new RegExp([...REPLACEMENTS, ...REPLACEMENTS_IN_TEXTS].map(([{ source }]) => source).join('|'), 'i')

/** The same for identifiers. */
const ODD_IN_CODE = new RegExp(ODD_IDENTIFIER.source.replace('^', '\\b'))

const isReadByPeople = (/** @type {string} */ name) =>
  /^(?!CONTRIBUTING).*\.md$/.test(name) ||
  (/^(?:cli|mcp|movers|server|dashboard|sdk|e2e|bench)\/.*\.tsx?$/.test(name) &&
    !/\/api-types\.ts$|^dashboard\/languages\/..\//.test(name))

const isTest = (/** @type {string} */ name) => /\.(?:test|spec)\.tsx?$|^(?:server\/test|bench)\//.test(name)

/** Strings in tests are data, so only their names and comments are checked. @param {string} content @param {string} name */
function oddWordsOf(content, name) {
  if (!/\.tsx?$/.test(name)) {
    return content.split('\n').flatMap((text, i) => oddWordsIn(text).map((odd) => ({ line: i + 1, ...odd })))
  }
  const readTexts = isTest(name) ? testNamesOf : textsOf
  const texts = mayHaveOddTexts(content, name) ? readTexts(content, name) : []
  return [
    ...texts.flatMap(({ line, text }) =>
      [...oddWordsIn(text), ...straightApostrophesIn(text, name)].map((odd) => ({ line, ...odd })),
    ),
    ...(isTest(name) && /['"`](?:of|that|with|through)\b/i.test(content) ? partialTestNamesIn(content, name) : []),
    ...commentsOf(content).flatMap(({ line, text }) => oddWordsIn(text, true).map((odd) => ({ line, ...odd }))),
  ]
}

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
      const hasOurNames = /^server\/.*\.ts$/.test(name) && !isTest(name)
      const names = hasOurNames && ODD_IN_CODE.test(content) ? oddIdentifiersIn(content, name) : []
      return [
        ...names.map(({ line, found }) => `${name}:${line}: ${found} → a name of ordinary words`),
        ...oddWordsOf(content, name).map(
          ({ line, found, replacement }) => `${name}:${line}: "${found}" → ${replacement}`,
        ),
      ]
    })
  for (const problem of problems) console.error(problem)
  if (problems.length > 0)
    console.error(`\n${problems.length} texts use words that the glossary in CONTRIBUTING.md replaces.`)
  return problems.length === 0
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) process.exitCode = check() ? 0 : 1
