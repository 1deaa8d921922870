/** Ready-made workflows for a project that has none. Their emails are templates of the gallery. */
import { useQueryClient } from '@tanstack/react-query'
import { HeartHandshake, Hourglass, type LucideIcon, UserPlus } from 'lucide-react'
import { useRef } from 'react'
import { projectPage } from '../../addresses.ts'
import { useApi, useProject } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { useNavigate } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { createFromGallery } from '../templates/draft.ts'
import { useDefaultSender } from '../templates/use-default-sender.ts'
import type { StepType } from './steps/step.ts'
import { texts } from './texts.ts'

const T = texts.starters

interface Starter {
  name: keyof typeof T.names
  icon: LucideIcon
  eventName: string
  /** The `templateId` of an email is its name in the gallery. */
  steps: { key: string; type: StepType; config: Record<string, unknown> }[]
  transitions: { from: string; to: string; branch?: 'yes' | 'no' }[]
}

const email = (slug: string): Starter['steps'][number] => ({
  key: slug,
  type: 'SEND_EMAIL',
  config: { templateId: slug },
})

const DAY_SECONDS = 86_400

const STARTERS: Starter[] = [
  {
    name: 'welcome',
    icon: UserPlus,
    eventName: 'signed-up',
    steps: [email('welcome'), { key: 'wait', type: 'DELAY', config: { amount: 7, unit: 'days' } }, email('survey')],
    transitions: [
      { from: 'welcome', to: 'wait' },
      { from: 'wait', to: 'survey' },
    ],
  },
  {
    name: 'trial',
    icon: Hourglass,
    eventName: 'trial-started',
    steps: [
      { key: 'wait', type: 'WAIT_FOR_EVENT', config: { eventName: 'upgraded', timeout: 11 * DAY_SECONDS } },
      email('trial-ending'),
      { key: 'exit', type: 'EXIT', config: { reason: T.upgraded } },
    ],
    transitions: [
      { from: 'wait', to: 'exit', branch: 'yes' },
      { from: 'wait', to: 'trial-ending', branch: 'no' },
    ],
  },
  {
    name: 'returning',
    icon: HeartHandshake,
    eventName: 'became-inactive',
    steps: [
      email('re-engagement'),
      { key: 'wait', type: 'WAIT_FOR_EVENT', config: { eventName: 'opened-app', timeout: 14 * DAY_SECONDS } },
      { key: 'active', type: 'UPDATE_CONTACT', config: { updates: { stage: 'active' } } },
      { key: 'lost', type: 'UPDATE_CONTACT', config: { updates: { stage: 'lost' } } },
    ],
    transitions: [
      { from: 're-engagement', to: 'wait' },
      { from: 'wait', to: 'active', branch: 'yes' },
      { from: 'wait', to: 'lost', branch: 'no' },
    ],
  },
]

/** Renders nothing if no domain is verified, because emails need a sender. */
export function Starters() {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const from = useDefaultSender()
  const { name: fromName } = useProject()
  const { run, busy, problem } = useAction()
  /** By their name in the gallery, so that a second attempt after a failure doesn't create them again. */
  const templates = useRef<Record<string, string>>({})
  if (!from) return null
  /** Includes opening the workflow, so that a second click doesn't create another one. */
  const createWorkflow = async ({ name, eventName, steps, transitions }: Starter) => {
    for (const { key } of steps.filter(({ type }) => type === 'SEND_EMAIL')) {
      if (templates.current[key]) continue
      const template = await createFromGallery(api, key, { from, fromName })
      if (template.error) return { error: template.error }
      templates.current[key] = template.data.id
      void queries.invalidateQueries({ queryKey: [projectId, 'templates'] })
    }
    const document = {
      name: await unusedName(api, T.names[name]),
      triggerConfig: { eventName },
      steps,
      transitions,
      templates: templates.current,
    }
    const created = await api.workflows.import(document)
    if (created.error) return created
    void queries.invalidateQueries({ queryKey: [projectId, 'workflows'] })
    await navigate(projectPage(projectId, 'workflows/$id', { id: created.data.id }))
    return created
  }
  return (
    <section aria-label={T.title} className="px-5 pb-6">
      <h3 className="mb-3 text-sm font-medium">{T.title}</h3>
      {problem && (
        <div className="mb-3">
          <Problem error={problem} />
        </div>
      )}
      <ul className="grid gap-3 sm:grid-cols-3">
        {STARTERS.map((starter) => (
          <li key={starter.name}>
            <button
              type="button"
              disabled={busy}
              onClick={() => void run(createWorkflow(starter))}
              className="flex h-full w-full flex-col gap-1 rounded-part border border-line p-4 text-start text-sm transition-colors hover:border-soft hover:bg-panel/60 disabled:opacity-55"
            >
              <starter.icon className="mb-1 size-4.5 text-accent" aria-hidden />
              <span className="font-medium">{T.names[starter.name]}</span>
              <span className="text-pretty text-soft">{T.descriptions[starter.name]}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** An import changes the workflow with its name. What is imported here becomes a workflow of its own. */
export async function unusedName(api: ReturnType<typeof useApi>['api'], name: string): Promise<string> {
  const { data } = await api.workflows.list({ search: name, pageSize: 1_000 })
  const used = new Set(data?.data.map((workflow) => workflow.name))
  let free = name
  for (let number = 2; used.has(free); number++) free = `${name} (${number})`
  return free
}
