/** Texts of the pages about API requests. */

import { formatCount } from '../../figures/format.ts'
import { translated } from '../../languages/language.ts'

export const texts = translated('requests', {
  title: 'API requests',
  lead: 'What your API keys requested in the last 7 days. Bodies aren’t stored.',
  column: { request: 'Request', status: 'Status', key: 'Key', duration: 'Duration', time: 'Time' },
  search: 'Path, such as /v1/send',
  method: 'Method',
  anyMethod: 'All methods',
  status: 'Status',
  anyStatus: 'All statuses',
  statuses: { '2xx': 'Successful (2xx)', '4xx': 'Refused (4xx)', '5xx': 'Failed (5xx)' },
  key: 'Key',
  anyKey: 'All keys',
  keys: { secret: 'Secret key', public: 'Public key' },
  ms: (ms: number) => `${ms} ms`,
  ignored: (count: number) => formatCount(count, { one: 'ignored field', other: 'ignored fields' }),
  emptyTitle: 'No API requests',
  empty:
    'Requests with your API keys are listed here for 7 days, each with its error. This helps you see why your app’s request was refused. Create an API key and send the first request. If none appear, REQUEST_LOG may be off on this installation.',
  createKey: 'Open API keys',
  noMatchTitle: 'No matching requests',
  noMatch: 'Try a different filter.',
  one: {
    title: 'API request',
    facts: 'Request',
    id: 'Request ID',
    copyId: 'Copy request ID',
    network: 'Network',
    unknown: 'Unknown',
    error: 'Error',
    docs: 'How to fix this error',
    field: 'Field',
    problem: 'Problem',
    ignoredTitle: 'Ignored fields',
    ignoredLead: 'This endpoint doesn’t have these fields of the request, so they had no effect. Check their names.',
  },
})
