/** The setup steps and an example request. Hidden once every step is completed. */
import type { Answer } from '@posthorn/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { rememberedSecret, SERVICE_URL, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { CodeBlock } from '../../parts/copy.tsx'
import { Card } from '../../parts/page.tsx'
import { RichText } from '../../parts/rich-text.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useApi, useProject } from '../../project.ts'
import { exampleRequests } from './example-requests.ts'
import { texts } from './texts.ts'

type SetupState = Answer<'GET /projects/{id}/setup-state'>

const { checklist: steps } = texts

const STEPS: { label: string; path: string; isDone(state: SetupState): boolean }[] = [
  { label: steps.verifyDomain, path: 'domains', isDone: (state) => state.hasVerifiedDomain },
  { label: steps.addContact, path: 'contacts', isDone: (state) => state.contactCount > 0 },
  { label: steps.createTemplate, path: 'templates', isDone: (state) => state.hasTemplate },
  { label: steps.sendEmail, path: 'emails', isDone: (state) => state.emailsSent > 0 },
  { label: steps.sendCampaign, path: 'campaigns', isDone: (state) => state.hasCampaignSent },
  { label: steps.enableWorkflow, path: 'workflows', isDone: (state) => state.hasEnabledWorkflow },
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
    <Card title={steps.title} lead={steps.lead(done, STEPS.length)}>
      <div className="grid gap-x-8 gap-y-5 lg:grid-cols-[16rem_minmax(0,1fr)]">
        <ol className="space-y-1">
          {STEPS.map((step) => (
            <li key={step.label}>
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
                <span className={step.isDone(state) ? 'text-soft line-through' : 'font-medium'}>{step.label}</span>
                <span className="sr-only">{step.isDone(state) ? steps.done : steps.open}</span>
              </Link>
            </li>
          ))}
        </ol>
        <ExampleRequest />
      </div>
    </Card>
  )
}

function ExampleRequest() {
  const project = useProject()
  const [open, setOpen] = useState('curl')
  const { api } = useApi()
  const { data: domains } = useQuery({
    queryKey: [project.id, 'domains'],
    queryFn: () => unwrap(api.domains.list(project.id)),
  })
  const domain = domains?.find((one) => one.verified)?.domain ?? 'your-domain.com'
  const secret = rememberedSecret(project.id)
  const examples = exampleRequests({ baseUrl: SERVICE_URL, secret, publicKey: project.publicKey, domain })
  return (
    <div className="min-w-0">
      <div className="overflow-hidden rounded-part border border-line">
        <Tabs
          label={steps.examples}
          open={open}
          onOpen={setOpen}
          tabs={examples.map(({ name, text }) => ({
            name,
            label: name,
            content: (
              <div className="p-3">
                <CodeBlock text={text} label={steps.example(name)} />
              </div>
            ),
          }))}
        />
      </div>
      {!secret && (
        <p className="mt-2 text-[0.8125rem] text-soft">
          <RichText
            text={steps.secretHidden}
            elements={{
              suffix: () => <code className="font-mono">{project.secretKeyHint.slice(-4)}</code>,
              link: (label) => (
                <Link
                  to={inProjectPath(project.id, 'settings')}
                  search={{ tab: 'keys' } as never}
                  className="text-accent underline"
                >
                  {label}
                </Link>
              ),
            }}
          />
        </p>
      )}
    </div>
  )
}
