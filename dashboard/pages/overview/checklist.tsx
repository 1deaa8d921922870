/** The first steps, ticked off as they are done; and the first request, ready to paste. Goes away when all is done. */
import type { Answer } from '@posthorn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { rememberedSecret, SERVICE_URL, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { CodeBlock } from '../../parts/copy.tsx'
import { Card } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useApi, useProject } from '../../project.ts'
import { firstRequests } from './first-requests.ts'

type SetupState = Answer<'GET /projects/{id}/setup-state'>

const STEPS: { words: string; path: string; isDone(state: SetupState): boolean }[] = [
  { words: 'Verify a sender domain', path: 'domains', isDone: (state) => state.hasVerifiedDomain },
  { words: 'Add a contact', path: 'contacts', isDone: (state) => state.contactCount > 0 },
  { words: 'Write a template', path: 'templates', isDone: (state) => state.hasTemplate },
  { words: 'Send an email', path: 'emails', isDone: (state) => state.emailsSent > 0 },
  { words: 'Send a campaign', path: 'campaigns', isDone: (state) => state.hasCampaignSent },
  { words: 'Enable a workflow', path: 'workflows', isDone: (state) => state.hasEnabledWorkflow },
]

export function Checklist() {
  const { projectId, api } = useApi()
  const { data: state } = useQuery({
    queryKey: [projectId, 'setup-state'],
    queryFn: () => unwrap(api.projects.setupState(projectId)),
  })
  if (!state) return null
  const done = STEPS.filter((step) => step.isDone(state)).length
  if (done === STEPS.length) return null
  return (
    <Card title="First steps" lead={`${done} of ${STEPS.length} done.`}>
      <div className="grid gap-x-8 gap-y-5 lg:grid-cols-[16rem_minmax(0,1fr)]">
        <ol className="space-y-1">
          {STEPS.map((step) => (
            <li key={step.words}>
              <Link
                to={inProjectPath(projectId, step.path)}
                className="flex items-center gap-3 rounded-part px-2 py-1.5 text-sm hover:bg-panel"
              >
                <span
                  aria-hidden
                  className={`flex size-5 shrink-0 items-center justify-center rounded-full border ${step.isDone(state) ? 'border-transparent bg-good-wash text-good' : 'border-line-strong'}`}
                >
                  {step.isDone(state) && <Check className="size-3.5" />}
                </span>
                <span className={step.isDone(state) ? 'text-soft line-through' : 'font-medium'}>{step.words}</span>
                <span className="sr-only">{step.isDone(state) ? '(done)' : '(to do)'}</span>
              </Link>
            </li>
          ))}
        </ol>
        <FirstRequest />
      </div>
    </Card>
  )
}

function FirstRequest() {
  const project = useProject()
  const [open, setOpen] = useState('curl')
  const { api } = useApi()
  const { data: domains } = useQuery({
    queryKey: [project.id, 'domains'],
    queryFn: () => unwrap(api.domains.list(project.id)),
  })
  const domain = domains?.find((one) => one.verified)?.domain ?? 'your-domain.com'
  const secret = rememberedSecret(project.id)
  const examples = firstRequests({ baseUrl: SERVICE_URL, secret, publicKey: project.publicKey, domain })
  return (
    <div className="min-w-0">
      <div className="overflow-hidden rounded-part border border-line">
        <Tabs
          label="First request"
          open={open}
          onOpen={setOpen}
          tabs={examples.map(({ name, text }) => ({
            name,
            words: name,
            content: (
              <div className="p-3">
                <CodeBlock text={text} label={`${name} example`} />
              </div>
            ),
          }))}
        />
      </div>
      {!secret && (
        <p className="mt-2 text-[0.8125rem] text-soft">
          Your secret key ends in <code className="font-mono">{project.secretKeyHint.slice(-4)}</code>. It was shown
          when it was made;{' '}
          <Link
            to={inProjectPath(project.id, 'settings')}
            search={{ tab: 'keys' } as never}
            className="text-accent underline"
          >
            make new keys
          </Link>{' '}
          if it is lost.
        </p>
      )}
    </div>
  )
}
