/** The setup steps and the first email: sent with a button or from code, and shown as soon as it exists. */
import type { Answer } from '@posthorn/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight, AtSign, Check, Send } from 'lucide-react'
import { meQuery, unwrap, useConfig } from '../../api.ts'
import { useLiveQueries } from '../../live.ts'
import { inProjectPath } from '../../navigation.ts'
import { EmailStatus } from '../../parts/badge.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Card } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useApi } from '../../project.ts'
import { useAction } from '../../use-action.ts'
import { useDefaultSender } from '../templates/email-fields.tsx'
import { SendExamples } from './example-tabs.tsx'
import { texts } from './texts.ts'

type SetupState = Answer<'GET /projects/{id}/setup-state'>

const { checklist: steps } = texts

const STEPS: { label: string; path: string; isDone(state: SetupState): boolean }[] = [
  { label: steps.verifyDomain, path: 'domains', isDone: (state) => state.hasVerifiedDomain },
  { label: steps.sendEmail, path: 'emails', isDone: (state) => state.emailsSent > 0 },
  { label: steps.addContact, path: 'contacts', isDone: (state) => state.contactCount > 0 },
  { label: steps.createTemplate, path: 'templates', isDone: (state) => state.hasTemplate },
  { label: steps.sendCampaign, path: 'campaigns', isDone: (state) => state.hasCampaignSent },
  { label: steps.enableWorkflow, path: 'workflows', isDone: (state) => state.hasEnabledWorkflow },
]

export function Checklist() {
  const { projectId, api } = useApi()
  const { data: state } = useQuery({
    queryKey: [projectId, 'setup-state'],
    queryFn: () => unwrap(api.projects.setupState(projectId)),
  })
  const done = state ? STEPS.filter((step) => step.isDone(state)).length : 0
  const open = state !== undefined && done < STEPS.length
  const next = state && STEPS.find((step) => !step.isDone(state))
  useLiveQueries([[projectId, 'setup-state']], () => true, open)
  if (!open) return null
  return (
    <Card title={steps.title} lead={steps.lead(done, STEPS.length)}>
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <ol className="space-y-1">
          {STEPS.map((step) => (
            <li key={step.label}>
              <Link
                to={inProjectPath(projectId, step.path)}
                aria-current={step === next ? 'step' : undefined}
                className="group flex items-center gap-3 rounded-part px-2 py-1.5 text-sm hover:bg-panel aria-[current=step]:bg-accent-wash"
              >
                <span
                  aria-hidden
                  className={`flex size-5 shrink-0 items-center justify-center rounded-full border ${step.isDone(state) ? 'border-transparent bg-good-wash text-good' : 'border-line-strong group-aria-[current=step]:border-accent'}`}
                >
                  {step.isDone(state) && <Check className="size-3.5" />}
                </span>
                <span className={`flex-1 ${step.isDone(state) ? 'text-soft line-through' : 'font-medium'}`}>
                  {step.label}
                </span>
                <span className="sr-only">{step.isDone(state) ? steps.done : steps.open}</span>
                {step === next && <ArrowRight className="size-4 text-accent" aria-hidden />}
              </Link>
            </li>
          ))}
        </ol>
        <div className="min-w-0 space-y-4">
          <FirstEmail />
          {state.emailsSent === 0 && (
            <>
              <p className="text-sm font-medium">{steps.orFromCode}</p>
              <SendExamples />
            </>
          )}
        </div>
      </div>
    </Card>
  )
}

/** Sends an email to the user. Shows whether the first email exists, wherever it was sent from. */
function FirstEmail() {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const sender = useDefaultSender()
  const captured = useConfig()?.features.transport === 'capture'
  const { run, busy, problem } = useAction()
  const { data: emails } = useQuery({
    queryKey: [projectId, 'emails', 'recent'],
    queryFn: () => unwrap(api.emails.list({ limit: 8 })),
  })
  const first = emails?.data.at(-1)
  const sendTest = async () => {
    const { testSubject: subject, testBody: body } = steps
    await run(api.emails.send({ to: me!.email, from: sender!, subject, body }))
    void queries.invalidateQueries({ queryKey: [projectId, 'emails'] })
  }
  return (
    <div className="rounded-part border border-line p-4 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        {sender === '' ? (
          <LinkButton kind="primary" to={inProjectPath(projectId, 'domains')}>
            <AtSign aria-hidden /> {steps.verifyDomain}
          </LinkButton>
        ) : (
          <Button
            kind={first ? undefined : 'primary'}
            busy={busy}
            disabled={!sender || !me}
            onClick={() => void sendTest()}
          >
            <Send aria-hidden /> {steps.sendTest}
          </Button>
        )}
        <p className="min-w-0 flex-1 basis-56 text-soft">
          {sender === '' ? steps.needsDomain : me && steps.sendTestLead(me.email, captured)}
        </p>
      </div>
      {problem && (
        <div className="mt-3">
          <Problem error={problem} />
        </div>
      )}
      <p
        aria-live="polite"
        className={`mt-3 flex flex-wrap items-center gap-2.5 border-t border-line pt-3 ${!first && sender === '' ? 'hidden' : ''}`}
      >
        {first ? (
          <>
            <span aria-hidden className="size-2 rounded-full bg-good" />
            {steps.arrived}
            <Link
              to={inProjectPath(projectId, `emails/${first.id}`)}
              className="min-w-0 font-medium wrap-anywhere text-accent underline"
            >
              {first.subject}
            </Link>
            <EmailStatus status={first.status} />
          </>
        ) : (
          <>
            <span aria-hidden className="size-2 animate-pulse rounded-full bg-warn" />
            <span className="text-soft">{steps.waiting}</span>
          </>
        )}
      </p>
    </div>
  )
}
