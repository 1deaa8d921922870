/** Requests and responses about workflows: their fields, steps, transitions, and the document they are exported as. */
import { z } from 'zod'
import { dirParam, PAGE_SIZE_MAX, pageOf, pageParam, sizeParam, sortParam } from '../../../kernel/pages.ts'
import { recordOf } from '../../../kernel/records.ts'
import { shownTags, tagParam, tagsField } from '../../../kernel/tags.ts'
import { validate } from '../../../platform/http/route.ts'
import { STEP_TYPES } from '../steps/registry.ts'
import { REMOVALS } from './graph.ts'

/** Limits for free-form JSON that is stored as it is. */
const JSON_DEPTH_MAX = 30
const JSON_LENGTH_MAX = 100_000

/** Without recursion, which a very deep value would exhaust. */
function depthOf(value: unknown, most: number): number {
  let level: unknown[] = [value]
  for (let depth = 0; ; depth++) {
    level = level.filter((item) => typeof item === 'object' && item !== null)
    if (level.length === 0 || depth > most) return depth
    level = level.flatMap((item) => Object.values(item as object))
  }
}

const bounded = (value: unknown, ctx: z.core.$RefinementCtx<unknown>): void => {
  const deep = depthOf(value, JSON_DEPTH_MAX) > JSON_DEPTH_MAX
  if (!deep && (JSON.stringify(value)?.length ?? 0) <= JSON_LENGTH_MAX) return
  const message = deep
    ? `Must be at most ${JSON_DEPTH_MAX} levels deep.`
    : `Must be at most ${JSON_LENGTH_MAX} characters of JSON.`
  ctx.addIssue({ code: 'custom', message, params: { code: 'too_big' }, input: value })
}

const smallJson = z.unknown().superRefine(bounded)

export const jsonObject = z
  .custom<Record<string, unknown>>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'Must be an object.',
    params: { code: 'invalid_type' },
    abort: true,
  })
  .superRefine(bounded)
  .meta({ type: 'object', additionalProperties: true })

export const NAME_MAX = 200
const atMost = (max: number) => z.string().max(max, `Must be at most ${max} characters.`)
const filled = (max: number) =>
  z.string().trim().min(1, 'Must not be empty.').max(max, `Must be at most ${max} characters.`)

const eventNameText = filled(255).meta({ description: 'The name of any event, custom or recorded by Posthorn.' })

export type StepType = z.output<typeof stepType>
const stepType = z.enum(STEP_TYPES)

const TriggerConfig = z.object({ eventName: z.string() })

const REENTRY_MODES = ['once', 'always', 'interval'] as const
const REENTRY_DAYS_MAX = 3_650

const workflowFields = {
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  triggerType: z.enum(['EVENT', 'MANUAL']),
  triggerConfig: TriggerConfig.nullable().meta({ description: 'Null if no event is set.' }),
  enabled: z.boolean(),
  allowReentry: z.boolean().meta({
    description:
      'If false, a contact can enter only once. If true, a contact can enter again after its previous execution has ended.',
  }),
  reentry: z
    .object({ mode: z.enum(REENTRY_MODES), days: z.number().int().nullable() })
    .meta({ description: 'How often a contact can enter: `once`, `always`, or every `days` days (`interval`).' }),
  goal: z
    .object({ eventName: z.string() })
    .nullable()
    .meta({ description: 'The event that ends executions as COMPLETED, with `goalReached`, wherever they are.' }),
  tags: shownTags,
  projectId: z.uuid(),
  createdAt: z.date(),
  updatedAt: z.date(),
}

export const Workflow = z.object(workflowFields).meta({ id: 'Workflow' })

const anyObject = z.record(z.string(), z.unknown())

export const WorkflowStep = z
  .object({
    id: z.uuid(),
    workflowId: z.uuid(),
    type: stepType,
    name: z.string().nullable(),
    config: anyObject,
    templateId: z.uuid().nullable(),
    position: z.unknown().nullable(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'WorkflowStep' })

const branch = z
  .string()
  .meta({ description: 'Such as `yes` and `no`; those of a SPLIT are the names in its configuration.' })

export const WorkflowTransition = z
  .object({
    id: z.uuid(),
    workflowId: z.uuid(),
    fromStepId: z.uuid(),
    toStepId: z.uuid(),
    branch: branch.nullable(),
    condition: z.object({ branch }).nullable().meta({ description: 'Same as `branch`.' }),
    createdAt: z.date(),
  })
  .meta({ id: 'WorkflowTransition' })

export const WorkflowWithGraph = z
  .object({
    ...workflowFields,
    revision: z.number().int().meta({ description: 'Increases with every change to the workflow or its graph.' }),
    steps: z.array(WorkflowStep),
    transitions: z.array(WorkflowTransition),
  })
  .meta({ id: 'WorkflowWithGraph' })

const description = atMost(1_000).nullable()
const triggerConfig = z
  .object({ eventName: eventNameText.nullable().optional() })
  .nullable()
  .meta({ description: 'The event that starts the workflow. Same as `eventName` at the top level.' })

const reentry = z
  .object({
    mode: z.enum(REENTRY_MODES, `Must be one of ${REENTRY_MODES.join(', ')}.`),
    days: z
      .int('Must be a whole number.')
      .min(1, 'Must be at least 1.')
      .max(REENTRY_DAYS_MAX, `Must be at most ${REENTRY_DAYS_MAX}.`)
      .nullish(),
  })
  .superRefine(({ mode, days }, ctx) => {
    const isInterval = mode === 'interval'
    if (isInterval === (days != null)) return
    const message = isInterval
      ? 'Set after how many days a contact can enter again.'
      : 'Only `interval` has days. Leave them out, or set the mode to `interval`.'
    ctx.addIssue({ code: 'custom', path: ['days'], message, params: { code: isInterval ? 'invalid_type' : 'custom' } })
  })
  .nullable()
  .meta({
    description:
      'How often a contact can enter: `once`, `always` (after its last execution has ended), or also only when `days` days have passed since it last entered (`interval`). `allowReentry` false is `once`, true is `always`; null is `once`.',
  })

const goal = z
  .object({ eventName: eventNameText })
  .nullable()
  .meta({ description: 'An event that ends executions as COMPLETED, with `goalReached`, wherever they are.' })

export const NewWorkflow = z.object({
  name: filled(NAME_MAX),
  description: description.optional(),
  eventName: eventNameText.nullable().optional(),
  triggerConfig: triggerConfig.optional(),
  allowReentry: z.boolean().optional(),
  reentry: reentry.optional(),
  goal: goal.optional(),
  tags: tagsField.optional(),
})

/** A new workflow always has the trigger type EVENT and is disabled; these fields change that. */
export const WorkflowChanges = NewWorkflow.extend({
  triggerType: z.enum(['EVENT', 'MANUAL']),
  enabled: z.boolean(),
  includeCurrentMembers: z.boolean().meta({
    description:
      'With `enabled: true`, if the workflow starts when contacts enter a segment: it also starts for those who are in the segment now, unless they can’t enter it again.',
  }),
}).partial()

export const WorkflowListQuery = z.object({
  page: pageParam,
  pageSize: sizeParam(PAGE_SIZE_MAX),
  search: z
    .string()
    .optional()
    .meta({ description: 'Matches part of the name, description or event, ignoring case and accents.' }),
  tag: tagParam,
  sort: sortParam(['name', 'createdAt', 'updatedAt'], 'createdAt'),
  dir: dirParam,
})

export const WorkflowPage = pageOf(Workflow)

const config = jsonObject.meta({ description: 'What the step does; see the guide to workflows.' })

const templateId = z.uuid('Must be a template ID.').nullable()
const stepName = filled(NAME_MAX).nullable()

const position = smallJson.meta({ description: 'Position of the step in an editor. Stored unchanged.' })

export const NewStep = z.object({
  type: stepType,
  name: stepName.optional(),
  config: config.optional(),
  templateId: templateId.optional(),
  position: position.optional(),
})

const waiting = z.enum(['keep', 'apply'], 'Must be keep or apply.')

export const StepChanges = NewStep.extend({
  waiting: waiting.meta({
    description:
      'What a new time of the step means for the executions that wait at it: `keep` (default) leaves the ends of their waits as they are, `apply` calculates them again, from when each execution reached the step.',
  }),
}).partial()

export const StepDeletion = z.object({
  splice: z
    .string()
    .optional()
    .transform((text) => text === 'true' || text === '1')
    .meta({ type: 'boolean', description: 'Connect the previous steps to the next step.' }),
  executions: z.enum(REMOVALS).optional().meta({
    description:
      'What happens to executions at the step: `move` continues them at the next step (or completes them if there is none), `cancel` cancels them. Without this parameter they fail.',
  }),
})

export const NewTransition = z.object({
  fromStepId: z.uuid('Must be a step ID.'),
  toStepId: z.uuid('Must be a step ID.'),
  branch: branch.nullable().optional(),
  condition: z.object({ branch: branch.nullable().optional() }).nullable().optional(),
})

export const FieldListQuery = z.object({
  eventName: z.string().optional().meta({ description: 'Return only fields of events with this name.' }),
})

export const FieldList = z.object({
  fields: z.array(
    z.object({
      field: z.string(),
      type: z.enum(['string', 'number', 'boolean', 'date']),
      category: z.enum(['contact', 'event']),
    }),
  ),
})

export const STEPS_MAX = 200

const TRANSITIONS_MAX = 2 * STEPS_MAX
const stepId = z.uuid('Must be a step ID.').toLowerCase()

const graphFields = {
  steps: z
    .array(
      NewStep.extend({
        id: stepId.meta({
          description: 'The ID of an existing step, which keeps its executions, or a new UUID for a new step.',
        }),
      }),
    )
    .max(STEPS_MAX, `A workflow can have at most ${STEPS_MAX} steps.`),
  transitions: z
    .array(z.object({ fromStepId: stepId, toStepId: stepId, branch: branch.nullable().optional() }))
    .max(TRANSITIONS_MAX, `Must contain at most ${TRANSITIONS_MAX} transitions.`),
  executions: recordOf(stepId, z.enum(REMOVALS)).optional().meta({
    description:
      'What happens to executions at removed steps, by step ID: `move` continues them at the next step (or completes them if there is none), `cancel` cancels them.',
  }),
}

/** A whole graph, as it is published. */
export const GraphInput = z.object({
  ...graphFields,
  waiting: recordOf(stepId, waiting).optional().meta({
    description:
      'What new times of steps mean for the executions that wait at them, by step ID: `keep` (default) leaves the ends of their waits as they are, `apply` calculates them again, from when each execution reached the step.',
  }),
  revision: z.number().int().optional().meta({
    description:
      'The `revision` of the workflow that the change is based on. If it has changed since, the response is 409.',
  }),
})

export const DraftInput = z.object({
  ...graphFields,
  version: z.number().int().optional().meta({
    description:
      'The version of the draft that the change is based on; 0 if there was none. If it has changed since, the response is 409.',
  }),
})

const shownGraph = {
  steps: z.array(
    WorkflowStep.pick({ id: true, type: true, name: true, config: true, templateId: true, position: true }),
  ),
  transitions: z.array(WorkflowTransition.pick({ fromStepId: true, toStepId: true, branch: true })),
}

const shownProblems = z
  .array(z.object({ field: z.string(), message: z.string(), code: z.string() }))
  .meta({ description: 'What has to be corrected before the draft can be published. `field` is a dot path.' })

export const WorkflowDraft = z
  .object({
    ...shownGraph,
    executions: z.record(z.string(), z.enum(REMOVALS)),
    version: z.number().int(),
    updatedAt: z.date(),
    outdated: z.boolean().meta({
      description: 'The published graph was changed after the draft was started, so publishing it reverts that change.',
    }),
    problems: shownProblems,
  })
  .meta({ id: 'WorkflowDraft' })

export const WorkflowVersion = z
  .object({ number: z.number().int(), publishedAt: z.date(), ...shownGraph })
  .meta({ id: 'WorkflowVersion' })

export const VersionList = z.object({
  data: z.array(z.object({ number: z.number().int(), publishedAt: z.date(), stepCount: z.number().int() })),
})

/** The format of exported workflows. Steps have keys in it, because ids belong to one installation. */
export const FORMAT = 'posthorn.workflow.1'

const stepKey = z.string().min(1, 'Must not be empty.').max(100, 'Must be at most 100 characters.')

const DocumentStep = z.object({
  key: stepKey,
  type: stepType,
  name: stepName.optional(),
  config: jsonObject.optional(),
  position: smallJson.optional(),
})

const DocumentTransition = z.object({ from: stepKey, to: stepKey, branch: branch.nullable().optional() })

export const WorkflowDocument = NewWorkflow.omit({ eventName: true }).extend({
  format: z.literal(FORMAT).optional(),
  triggerType: z.enum(['EVENT', 'MANUAL']).optional(),
  steps: z.array(DocumentStep).max(STEPS_MAX, `A workflow can have at most ${STEPS_MAX} steps.`),
  transitions: z
    .array(DocumentTransition)
    .max(TRANSITIONS_MAX, `Must contain at most ${TRANSITIONS_MAX} transitions.`)
    .optional(),
  templates: recordOf(z.string(), z.uuid('Must be a template ID.'))
    .optional()
    .meta({ description: 'Maps template IDs in the document to templates of this project.' }),
  executions: recordOf(stepKey, z.enum(REMOVALS)).optional().meta({
    description:
      'What happens to executions at steps that the document no longer has, by key: `move` continues them at the next step (or completes them if there is none), `cancel` cancels them.',
  }),
  waiting: recordOf(stepKey, waiting).optional().meta({
    description:
      'What new times of steps mean for the executions that wait at them, by key: `keep` (default) or `apply`.',
  }),
})

export const ExportedWorkflow = z
  .object({
    format: z.literal(FORMAT),
    name: z.string(),
    description: z.string().nullable(),
    triggerType: z.enum(['EVENT', 'MANUAL']),
    triggerConfig: z.object({ eventName: z.string() }).nullable(),
    allowReentry: z.boolean(),
    reentry: workflowFields.reentry,
    goal: workflowFields.goal,
    tags: shownTags,
    steps: z.array(
      z.object({
        key: z.string(),
        type: stepType,
        name: z.string().nullable(),
        config: anyObject,
        position: z.unknown().nullable(),
      }),
    ),
    transitions: z.array(z.object({ from: z.string(), to: z.string(), branch: branch.nullable() })),
  })
  .meta({ id: 'WorkflowDocument' })

export const WebhookSecret = z
  .object({
    secret: z.string().meta({ description: 'In the format that Standard Webhooks libraries expect.' }),
    createdAt: z.date(),
  })
  .meta({ id: 'WebhookSecret' })

/** Parses the configuration of a step. Problems name fields of `config`. */
export function validateConfig(schema: z.ZodType, config: unknown): unknown {
  return validate(z.object({ config: schema }), { config }).config
}
