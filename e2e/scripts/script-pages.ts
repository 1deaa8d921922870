/** Texts that try to run a script, and the addresses of all pages, filled with such texts where they accept any. */
import { MARKER } from './detect-scripts.ts'

export const RUN = `${MARKER}(1)`
/** Short enough for names: it leaves an attribute in quotes, an element, and a script in which JSON is embedded. */
export const TEXT = `"'></script><script>${RUN}</script><img src=x onerror=${RUN}><svg onload=${RUN}>`
/** Further forms, for fields that can be longer. */
export const LONG_TEXT = `${TEXT} </textarea></title></style><script>${RUN}</script> " autofocus onfocus=${RUN} x=" \` onfocus=${RUN} javascript:${RUN} {{ constructor.constructor }} <a href="javascript:${RUN}">a</a><iframe srcdoc="<script>${RUN}</script>"></iframe><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`
export const SCRIPT_LINK = `javascript:${RUN}//`

/** The IDs of what a project contains, by name. */
export type Ids = Record<string, string>

const SETTINGS_TABS = [
  ...['project', 'branding', 'sending', 'usage', 'security', 'members', 'audit-log'],
  ...['keys', 'smtp', 'account', 'installation', 'system-mail'],
]

/** Addresses of the pages of a project, by their path in dashboard/router.tsx; some have several tabs. */
export const projectPages = (ids: Ids): Record<string, string[]> => ({
  '/': [''],
  contacts: ['contacts', `contacts?search=${encodeURIComponent(TEXT)}`, `contacts?where=${encodeURIComponent(TEXT)}`],
  'contacts/import': ['contacts/import'],
  'contacts/move': ['contacts/move'],
  'contacts/fields': ['contacts/fields'],
  'contacts/pending': ['contacts/pending'],
  'contacts/$id': [`contacts/${ids.contact}`, `contacts/${encodeURIComponent(TEXT)}`],
  segments: ['segments'],
  'segments/new': ['segments/new'],
  'segments/$id': [`segments/${ids.segment}`, `segments/${ids.members}`],
  'segments/$id/edit': [`segments/${ids.segment}/edit`],
  templates: ['templates'],
  'templates/new': ['templates/new'],
  'templates/gallery': ['templates/gallery'],
  'templates/layouts': ['templates/layouts'],
  'templates/layouts/$id': [`templates/layouts/${ids.layout}`],
  'templates/$id': [`templates/${ids.template}`, `templates/${ids.visual}`],
  campaigns: ['campaigns'],
  'campaigns/new': ['campaigns/new', `campaigns/new?segmentId=${encodeURIComponent(TEXT)}`],
  'campaigns/$id': [`campaigns/${ids.campaign}`, `campaigns/${ids.draft}`],
  'campaigns/$id/edit': [`campaigns/${ids.draft}/edit`],
  workflows: ['workflows'],
  'workflows/$id': ['', '?tab=executions', '?tab=settings'].map((tab) => `workflows/${ids.workflow}${tab}`),
  'workflows/$id/executions/$executionId': [`workflows/${ids.workflow}/executions/${ids.execution}`],
  activity: ['activity'],
  analytics: ['analytics'],
  emails: ['emails', `emails?search=${encodeURIComponent(TEXT)}`],
  'emails/$id': [ids.email, ids.received].flatMap((id) =>
    ['', '?tab=headers', '?tab=text'].map((tab) => `emails/${id}${tab}`),
  ),
  events: ['events', `events?name=${encodeURIComponent(TEXT)}`],
  domains: ['domains'],
  topics: ['topics'],
  forms: ['forms'],
  'forms/new': ['forms/new'],
  'forms/$id': ['', '?tab=embed', '?tab=spam'].map((tab) => `forms/${ids.form}${tab}`),
  'forms/$id/edit': [`forms/${ids.form}/edit`],
  suppressions: ['suppressions'],
  webhooks: ['webhooks'],
  'webhooks/$id': [`webhooks/${ids.webhook}`],
  requests: ['requests', `requests?search=${encodeURIComponent(TEXT)}`],
  'requests/$id': [`requests/${ids.request}`],
  settings: SETTINGS_TABS.map((tab) => `settings?tab=${tab}`),
})

const PARAMETERS = `token=${encodeURIComponent(TEXT)}&next=${encodeURIComponent(SCRIPT_LINK)}&redirect=${encodeURIComponent(SCRIPT_LINK)}&error=${encodeURIComponent(TEXT)}&email=${encodeURIComponent(TEXT)}`

export const accountPages: Record<string, string> = {
  '/': '',
  '/sign-in': `sign-in?${PARAMETERS}`,
  '/sign-up': `sign-up?${PARAMETERS}`,
  '/forgot-password': `forgot-password?${PARAMETERS}`,
  '/reset-password': `reset-password?${PARAMETERS}`,
  '/verify-email': `verify-email?${PARAMETERS}`,
  '/accept-invitation': `accept-invitation?${PARAMETERS}`,
  '/projects/new': `projects/new?${PARAMETERS}`,
}

export const publicPages = (ids: Ids): string[] => [
  ids.preferences!,
  ...['unsubscribe', 'subscribe'].map((page) => ids.preferences!.replace('manage', page)),
  `/unsubscribe/${encodeURIComponent(TEXT)}`,
  `/t/c/${encodeURIComponent(TEXT)}`,
  `/auth/oauth/github/callback?${PARAMETERS}`,
  `/${encodeURIComponent(TEXT)}`,
  `/f/${ids.form}?utm_source=${encodeURIComponent(TEXT)}`,
  `/f/${encodeURIComponent(TEXT)}`,
  '/docs',
]
