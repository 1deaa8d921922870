/** A workflow as a JSON file, with the IDs of its steps, so that contacts stay at their steps when it is pushed. */
import { randomUUID } from 'node:crypto'
import { type Body, type Posthorn, type Schemas, unwrap } from '../../sdk/index.ts'
import { CommandError } from '../errors.ts'
import type { Kind, Remote } from './sync.ts'

const PAGE_SIZE = 100

type Workflow = Schemas['WorkflowWithGraph']

interface WorkflowFile {
  name: string
  description: string | null
  triggerType: 'EVENT' | 'MANUAL'
  eventName: string | null
  reentry: Workflow['reentry']
  goal: Workflow['goal']
  tags: string[]
  steps: {
    id: string
    type: string
    name: string | null
    config: Record<string, unknown>
    templateId: string | null
    position: unknown
  }[]
  transitions: { fromStepId: string; toStepId: string; branch: string | null }[]
}

/** Sorted by name, so that equal workflows are equal files. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, inner]) => [name, sorted(inner)]),
        )
      : value

function workflowContent(workflow: Workflow): string {
  const document: WorkflowFile = {
    name: workflow.name,
    description: workflow.description,
    triggerType: workflow.triggerType,
    eventName: workflow.triggerConfig?.eventName ?? null,
    reentry: workflow.reentry,
    goal: workflow.goal,
    tags: workflow.tags,
    steps: workflow.steps
      .map(({ id, type, name, config, templateId, position }) => ({
        id,
        type,
        name,
        config: sorted(config) as Record<string, unknown>,
        templateId,
        position: sorted(position),
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    transitions: workflow.transitions
      .map(({ fromStepId, toStepId, branch }) => ({ fromStepId, toStepId, branch }))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

function readWorkflowFile(content: string, file: string): WorkflowFile {
  try {
    const document = JSON.parse(content) as WorkflowFile
    if (!Array.isArray(document.steps) || !Array.isArray(document.transitions)) {
      throw new CommandError(`${file}: "steps" and "transitions" must be lists.`)
    }
    return document
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${file} is not JSON: ${(error as Error).message}`)
  }
}

const remoteOf = (workflow: Workflow): Remote => ({
  id: workflow.id,
  name: workflow.name,
  version: workflow.revision,
  extension: '.json',
  content: workflowContent(workflow),
})

/** In another project, the steps of a file get new IDs. */
function withNewIds({ steps, transitions, ...rest }: WorkflowFile): WorkflowFile {
  const ids = new Map(steps.map(({ id }) => [id, randomUUID() as string]))
  const newId = (id: string) => ids.get(id) ?? id
  return {
    ...rest,
    steps: steps.map((step) => ({ ...step, id: newId(step.id) })),
    transitions: transitions.map((transition) => ({
      ...transition,
      fromStepId: newId(transition.fromStepId),
      toStepId: newId(transition.toStepId),
    })),
  }
}

async function write(posthorn: Posthorn, id: string, revision: number, file: WorkflowFile): Promise<Remote> {
  const { steps, transitions, ...fields } = file
  await unwrap(
    posthorn.workflows.replaceGraph(id, { steps, transitions, revision } as Body<'PUT /workflows/{id}/graph'>),
  )
  await unwrap(posthorn.workflows.update(id, fields))
  return remoteOf(await unwrap(posthorn.workflows.get(id)))
}

export const workflowKind = (posthorn: Posthorn): Kind => ({
  folder: 'workflows',
  noun: 'workflow',
  extensions: ['.json'],
  list: async () => {
    const all: Remote[] = []
    for (let page = 1; ; page++) {
      const { data, totalPages } = await unwrap(
        posthorn.workflows.list({ page, pageSize: PAGE_SIZE, sort: 'createdAt', dir: 'asc' }),
      )
      for (const { id } of data) all.push(remoteOf(await unwrap(posthorn.workflows.get(id))))
      if (page >= totalPages) return all
    }
  },
  create: async (content, file) => {
    const document = withNewIds(readWorkflowFile(content, file))
    const { id } = await unwrap(posthorn.workflows.create({ name: document.name, eventName: document.eventName }))
    const { revision } = await unwrap(posthorn.workflows.get(id))
    try {
      return await write(posthorn, id, revision, document)
    } catch (error) {
      await posthorn.workflows.delete(id) // nothing half done
      throw error
    }
  },
  update: ({ id, version }, content, file) => write(posthorn, id, version, readWorkflowFile(content, file)),
})
