/**
 * The floors of the house, checked by `npm run check`.
 * Calls go down or next door; facts go up through the queue.
 * server/test/floors.test.ts breaks each rule on purpose and sees it refused.
 */

/** A feature may call only the features listed before it. */
const ORDER = [
  'journal',
  'notices',
  'audit',
  'members',
  'projects',
  'usage',
  'accounts',
  'oauth',
  'domains',
  'suppressions',
  'erasure',
  'contacts',
  'preferences',
  'imports',
  'templates',
  'events',
  'segments',
  'composing',
  'outbox',
  'delivery',
  'tracking',
  'emails',
  'submission',
  'feedback',
  'campaigns',
  'workflows',
  'verification',
  'uploads',
  'activity',
  'analytics',
  'billing',
  'service',
]
/** Other features enter a feature by its `actions.ts`, or by these files, so that none exists only to re-export. */
const DOORS = {
  accounts: ['passwords', 'sessions', 'two-factor', 'user'],
  billing: ['stripe'],
  composing: ['compose', 'html', 'links'],
  contacts: ['fields', 'schemas'],
  delivery: ['deliver', 'outcomes', 'pace', 'return-path'],
  preferences: ['links', 'texts'],
  tracking: ['bots'],
}
const FEATURE = '^server/features'
const TEST = '\\.test\\.ts$'
/** A large feature may have several rooms of a kind: `queries.ts` and `field-queries.ts`. */
const QUERIES = '[a-z-]*queries\\.ts'
const ROUTES = '[a-z-]*routes\\.ts'

const doors = Object.entries(DOORS).map(([name, files]) => `${FEATURE}/${name}/(${files.join('|')})\\.ts$`)

const rule = (name, from, to) => ({ name, severity: 'error', from, to })

module.exports = {
  forbidden: [
    rule('no-circles', {}, { circular: true }),
    rule('kernel-stands-alone', { path: '^server/kernel' }, { path: '^server/(?!kernel)' }),
    rule(
      'platform-knows-no-feature',
      { path: '^server/platform' },
      { path: '^server/(features|gate|app|service|main)' },
    ),
    rule('features-know-no-gate', { path: FEATURE }, { path: '^server/(gate|app|service|main)' }),
    rule('gate-knows-no-app', { path: '^server/gate' }, { path: '^server/(app|service|main)' }),
    rule('every-feature-has-its-place', { path: `${FEATURE}/(?!(${ORDER.join('|')})/)` }, {}),

    // Next door means the same floor: actions to actions, queries to queries.
    rule(
      'enter-by-the-front-door',
      { path: `${FEATURE}/([^/]+)/(?!${QUERIES})` },
      { path: `${FEATURE}/[^/]+/(?!actions\\.ts)`, pathNot: [`${FEATURE}/$1/`, ...doors] },
    ),
    rule(
      'queries-meet-only-queries',
      { path: `${FEATURE}/([^/]+)/${QUERIES}` },
      { path: FEATURE, pathNot: [`${FEATURE}/$1/`, `${FEATURE}/[^/]+/${QUERIES}`] },
    ),
    rule(
      'queries-call-nothing-above',
      { path: `${FEATURE}/[^/]+/${QUERIES}` },
      { path: `${FEATURE}/[^/]+/(actions\\.ts|${ROUTES}|jobs\\.ts)` },
    ),

    rule(
      'only-queries-hold-sql',
      { path: `(${FEATURE}/[^/]+|^server/gate)/(?!${QUERIES})`, pathNot: TEST },
      { path: 'node_modules/(kysely|pg)/' },
    ),
    rule(
      'only-routes-know-http',
      { path: `${FEATURE}/[^/]+/(?!${ROUTES}|schemas\\.ts)` },
      // Markup is not HTTP: pages are made where their words are.
      { path: '(node_modules/fastify/|^server/platform/http)', pathNot: '^server/platform/http/(html|page-look)\\.ts' },
    ),
    rule('nothing-leans-on-tests', { path: '^server/(?!test/)', pathNot: TEST }, { path: '^server/test/' }),

    // The client needs nothing but fetch, the dashboard nothing but the client, and the server neither of them.
    rule('sdk-stands-alone', { path: '^sdk/' }, { path: '^(server|dashboard|bench|e2e)/' }),
    rule('dashboard-knows-only-the-client', { path: '^dashboard/' }, { path: '^(server|bench|e2e)/' }),
    rule('parts-know-no-page', { path: '^dashboard/(parts|look)/' }, { path: '^dashboard/(pages/|map|main)' }),
    rule('server-knows-no-client', { path: '^server/(?!test/)' }, { path: '^(dashboard|sdk)/' }),

    ...ORDER.slice(0, -1).map((name, i) =>
      rule(
        `${name}-calls-only-earlier-features`,
        { path: `${FEATURE}/${name}/` },
        { path: `${FEATURE}/(${ORDER.slice(i + 1).join('|')})/` },
      ),
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^[^/]+/dist[.0-9]*(old)?/' },
    // Without these, packages that only have "exports" are not found and no rule sees them.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
