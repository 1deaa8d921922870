/** The setup steps and the first email: sent with a button or from code, and shown as soon as it exists. */
import type { Answer } from '@posthorn/sdk'
import { useQuery } from '@tanstack/react-query'
import { ArrowRight, Check } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { projectPage } from '../../addresses.ts'
import { unwrap } from '../../data/api.ts'
import { useLiveQueries } from '../../data/live.ts'
import { useApi, useProject } from '../../data/project.ts'
import { Link } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { useIsCaptured } from '../../mail/captured-notice.tsx'
import { Card } from '../../shell/page.tsx'
import { EmailStatus } from '../../ui/badge.tsx'
import { TestEmailButton, useTestEmail } from './test-email.tsx'
import { texts } from './texts.ts'
import { useRecentEmails } from './use-recent-emails.ts'

type SetupState = Answer<'GET /projects/{id}/setup-state'>

const SendExamples = lazy(() => import('./example-tabs.tsx').then((module) => ({ default: module.SendExamples })))

const { checklist: steps } = texts

type SetupPage = 'domains' | 'emails' | 'contacts' | 'templates' | 'campaigns' | 'workflows'

const STEPS: { label: string; page: SetupPage; isDone(state: SetupState): boolean }[] = [
  { label: steps.verifyDomain, page: 'domains', isDone: (state) => state.hasVerifiedDomain },
  { label: steps.sendEmail, page: 'emails', isDone: (state) => state.emailsSent > 0 },
  { label: steps.addContact, page: 'contacts', isDone: (state) => state.contactCount > 0 },
  { label: steps.createTemplate, page: 'templates', isDone: (state) => state.hasTemplate },
  { label: steps.sendCampaign, page: 'campaigns', isDone: (state) => state.hasCampaignSent },
  { label: steps.enableWorkflow, page: 'workflows', isDone: (state) => state.hasEnabledWorkflow },
]

export function useSetupState() {
  const { projectId, api } = useApi()
  return useQuery({
    queryKey: [projectId, 'setup-state'],
    queryFn: () => unwrap(api.projects.setupState(projectId)),
  })
}

export function Checklist({ isNew }: { isNew: boolean }) {
  const { projectId } = useApi()
  const { name } = useProject()
  const { data: state } = useSetupState()
  const done = state ? STEPS.filter((step) => step.isDone(state)).length : 0
  const open = state !== undefined && done < STEPS.length
  const next = state && STEPS.find((step) => !step.isDone(state))
  useLiveQueries([[projectId, 'setup-state']], () => true, open)
  if (!open) return null
  return (
    <Card title={isNew ? steps.titleNew(name) : steps.title} lead={steps.lead(done, STEPS.length)}>
      <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[14rem_minmax(0,1fr)]">
        <ol className="space-y-1">
          {STEPS.map((step) => (
            <li key={step.label}>
              <Link
                to={projectPage(projectId, step.page)}
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
          {state.emailsSent === 0 && state.hasVerifiedDomain && (
            <>
              <p className="text-sm font-medium">{steps.orFromCode}</p>
              <Suspense>
                <SendExamples />
              </Suspense>
            </>
          )}
        </div>
      </div>
    </Card>
  )
}

/** Sends an email to the user. Shows whether the first email exists, wherever it was sent from. */
function FirstEmail() {
  const { projectId } = useApi()
  const captured = useIsCaptured()
  const test = useTestEmail()
  const { data: emails } = useRecentEmails()
  const first = emails?.data.at(-1)
  return (
    <div className="rounded-part border border-line p-4 text-sm">
      {test.sender === '' ? (
        <>
          <p className="mb-4 max-w-prose text-pretty text-soft">{steps.needsDomain}</p>
          <TestEmailButton test={test} isPrimary />
        </>
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <TestEmailButton test={test} isPrimary={!first} />
          <p className="min-w-0 flex-1 basis-56 text-soft">{test.to && steps.sendTestLead(test.to, captured)}</p>
        </div>
      )}
      {test.problem && (
        <div className="mt-3">
          <Problem error={test.problem} />
        </div>
      )}
      <p
        aria-live="polite"
        className={`mt-3 flex flex-wrap items-center gap-2.5 border-t border-line pt-3 ${!first && test.sender === '' ? 'hidden' : ''}`}
      >
        {first ? (
          <>
            <span aria-hidden className="size-2 rounded-full bg-good" />
            {steps.arrived}
            <Link
              to={projectPage(projectId, 'emails/$id', { id: first.id })}
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
