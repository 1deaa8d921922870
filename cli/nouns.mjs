/** The first words of commands that call a running service. All others are commands of the service itself (server/main.ts). */
export const NOUNS = [
  'login',
  'send',
  'emails',
  'contacts',
  'templates',
  'workflows',
  'campaigns',
  'events',
  'domains',
  'keys',
  'webhooks',
  'import',
  'export',
  'doctor',
  'mcp',
  'completion',
]
