/** A new key, which is shown only once, and a request that uses it. */
import { SERVICE_URL } from '../../../data/api.ts'
import { Button } from '../../../ui/button.tsx'
import { CodeBlock, CopyValue } from '../../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { trackExample } from '../../overview/example-requests.ts'
import { SendExamples } from '../../overview/example-tabs.tsx'
import { texts } from '../texts.ts'
import { AREAS, type Area, allows, type ShownApiKey } from './key-scopes.ts'

const T = texts.apiKeys

/** Lists that a key can read, for areas whose list needs no ID. */
const LISTS: Partial<Record<Area, string>> = {
  contacts: '/contacts',
  segments: '/segments',
  templates: '/templates',
  campaigns: '/campaigns',
  workflows: '/workflows',
  events: '/events',
  emails: '/emails',
  analytics: '/activity',
  suppressions: '/suppressions',
  project: '/tags',
}

export function ShownKey({ apiKey, onClose }: { apiKey: ShownApiKey; onClose(): void }) {
  return (
    <Dialog open wide disposable onClose={onClose} title={T.shownTitle(apiKey.name)} lead={T.shownLead}>
      <div className="space-y-5 text-sm">
        <div className="py-1">
          <CopyValue text={apiKey.key} label={T.copy} />
        </div>
        <Example apiKey={apiKey} />
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {T.close}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** The first request that a reader would try with these scopes. */
function Example({ apiKey: { key, scopes } }: { apiKey: ShownApiKey }) {
  if (allows(scopes, 'send')) return <SendExamples secret={key} />
  const area = AREAS.find((each) => LISTS[each] && allows(scopes, `${each}:read`))
  if (!area && !allows(scopes, 'track')) return null
  const text = area
    ? `curl ${SERVICE_URL}${LISTS[area]} \\\n  -H 'Authorization: Bearer ${key}'`
    : trackExample({ baseUrl: SERVICE_URL, publicKey: key })
  return <CodeBlock text={text} label={T.example} title="curl" />
}
