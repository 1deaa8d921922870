/**
 * Which folder may import which, checked by `npm run check` and explained in ARCHITECTURE.md.
 * Code calls its own layer or a lower one; consequences run as jobs.
 * server/test/project/layers.test.ts has a violation of each rule and expects it to be reported.
 */

/** Groups in calling order, and the features of each: a feature may import only what is listed before it. */
const GROUPS = {
  record: ['journal', 'notices', 'audit', 'requests'],
  tenants: ['members', 'keys', 'projects', 'usage', 'accounts', 'oauth', 'domains', 'billing'],
  audience: [
    'suppressions',
    'consents',
    'contacts',
    'topics',
    'preferences',
    'imports',
    'transfers',
    'events',
    'forms',
    'segments',
  ],
  content: ['composing', 'documents', 'templates', 'gallery', 'layouts', 'checks', 'uploads'],
  mail: [
    'outbox',
    'confirmations',
    'delivery',
    'tracking',
    'emails',
    'submission',
    'compat',
    'reports',
    'received',
    'verification',
  ],
  automation: ['campaigns', 'steps', 'workflows', 'executions'],
  insight: ['activity', 'analytics', 'webhooks'],
  operations: ['retention', 'exports', 'service'],
}
const ORDER = Object.entries(GROUPS).flatMap(([group, features]) => features.map((feature) => `${group}/${feature}`))
/** Other features import `actions.ts` of a feature, or these files, so that no file exists only to re-export. */
const PUBLIC_FILES = {
  accounts: ['passwords', 'sessions', 'two-factor', 'user'],
  billing: ['stripe'],
  checks: ['schemas'],
  composing: ['additions', 'compose', 'links'],
  contacts: ['confirmations', 'erasure', 'fields/fields', 'schemas', 'topics'],
  delivery: ['breaker', 'deliver', 'outcomes', 'signing'],
  emails: ['list', 'scheduled', 'sunset'],
  documents: ['version-routes', 'versions'],
  imports: ['csv/cell-values', 'csv/csv-rows', 'layout'],
  keys: ['project-keys', 'uses'],
  notices: ['names'],
  oauth: ['providers'],
  compat: ['errors'],
  outbox: ['batch', 'prepare', 'schemas', 'test-email'],
  preferences: ['pages'],
  reports: ['message-ids'],
  requests: ['log'],
  templates: ['preview'],
  segments: ['audience', 'audience-schemas', 'members', 'schemas'],
  steps: ['registry', 'step', 'step-webhook'],
  topics: ['schemas'],
  tracking: ['bots'],
  workflows: ['graph', 'publishing', 'schemas', 'transfer/export'],
}
const FEATURE = '^server/features'
const TEST = '\\.test\\.ts$'
/** A large feature may have several files of a kind, such as `queries.ts` and `field-queries.ts`, and subfolders. */
const QUERIES = '[a-z/-]*queries\\.ts'
const ROUTES = '[a-z/-]*routes\\.ts'

const publicFiles = Object.entries(PUBLIC_FILES).map(
  ([name, files]) => `${FEATURE}/[^/]+/${name}/(${files.join('|')})\\.ts$`,
)

const rule = (name, from, to) => ({ name, severity: 'error', from, to })

module.exports = {
  forbidden: [
    rule('no-cycles', {}, { circular: true }),
    rule('kernel-imports-only-kernel', { path: '^server/kernel' }, { path: '^server/(?!kernel)' }),
    rule(
      'platform-imports-no-feature',
      { path: '^server/platform' },
      { path: '^server/(features|gate|app|jobs|service|main|commands)' },
    ),
    rule('features-import-no-gate', { path: FEATURE }, { path: '^server/(gate|app|jobs|service|main|commands)' }),
    rule('gate-imports-no-app', { path: '^server/gate' }, { path: '^server/(app|jobs|service|main|commands)' }),
    rule('features-are-ordered', { path: `${FEATURE}/(?!(${ORDER.join('|')})/)` }, {}),

    // Between features, actions import actions and queries import queries.
    rule(
      'import-features-through-actions',
      { path: `${FEATURE}/([^/]+/[^/]+)/(?!${QUERIES})` },
      { path: `${FEATURE}/[^/]+/[^/]+/(?!actions\\.ts)`, pathNot: [`${FEATURE}/$1/`, ...publicFiles] },
    ),
    rule(
      'queries-import-only-queries',
      { path: `${FEATURE}/([^/]+/[^/]+)/${QUERIES}` },
      { path: FEATURE, pathNot: [`${FEATURE}/$1/`, `${FEATURE}/[^/]+/[^/]+/${QUERIES}`] },
    ),
    rule(
      'queries-import-no-actions',
      { path: `${FEATURE}/[^/]+/[^/]+/${QUERIES}` },
      { path: `${FEATURE}/[^/]+/[^/]+/(actions\\.ts|${ROUTES}|jobs\\.ts)` },
    ),

    rule(
      'sql-only-in-queries',
      { path: `(${FEATURE}/[^/]+/[^/]+|^server/gate)/(?!${QUERIES})`, pathNot: TEST },
      { path: 'node_modules/(kysely|pg)/' },
    ),
    rule(
      'http-only-in-routes',
      // `compat` is about requests of other services and nothing else.
      { path: `${FEATURE}/[^/]+/[^/]+/(?!${ROUTES}|schemas\\.ts)`, pathNot: `${FEATURE}/mail/compat/` },
      // Markup is not HTTP: pages are written beside their texts.
      { path: '(node_modules/fastify/|^server/platform/http)', pathNot: '^server/platform/http/(html|page-look)\\.ts' },
    ),
    rule('no-imports-from-tests', { path: '^server/(?!test/)', pathNot: TEST }, { path: '^server/test/' }),

    // The client needs nothing but fetch, the dashboard nothing but the client, and the server neither of them.
    rule('sdk-imports-only-sdk', { path: '^sdk/' }, { path: '^(server|dashboard|bench|e2e)/' }),
    rule('dashboard-imports-only-sdk', { path: '^dashboard/' }, { path: '^(server|bench|e2e)/' }),
    rule(
      'only-pages-import-pages',
      { path: '^dashboard/(?!pages/|router|start|main|languages/../)' }, // the texts of a language have the types of those of pages
      { path: '^dashboard/(pages/|router|start|main)' },
    ),
    rule('movers-imports-only-sdk', { path: '^movers/' }, { path: '^(cli|mcp|server|dashboard|bench|e2e)/' }),
    rule('mcp-imports-nothing-of-ours', { path: '^mcp/' }, { path: '^(cli|server|dashboard|sdk|bench|e2e)/' }),
    rule(
      'cli-imports-only-sdk',
      { path: '^cli/' },
      { path: '^(server|bench|e2e|dashboard/(?!pages/versions/line-diff))' },
    ),
    rule('server-imports-no-client', { path: '^server/(?!test/)' }, { path: '^(cli|dashboard|sdk)/' }),

    ...ORDER.slice(0, -1).map((name, i) =>
      rule(
        `${name.split('/')[1]}-imports-only-earlier-features`,
        { path: `${FEATURE}/${name}/` },
        { path: `${FEATURE}/(${ORDER.slice(i + 1).join('|')})/` },
      ),
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^[^/]+/dist[.0-9]*(old)?/' },
    // Without these, packages that only have "exports" are not resolved, and no rule applies to them.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
