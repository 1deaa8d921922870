/** Workflows, steps and transitions as the API speaks of them. */
import { z } from 'zod'
import { PAGE_SIZE_MAX, pageOf, pageParam, sizeParam } from '../../kernel/pages.ts'
import { validate } from '../../platform/http/validate.ts'
import { BRANCHES, STEP_TYPES } from './graph.ts'
import { jsonObject, smallJson } from './json-bounds.ts'

export const NAME_MAX = 200
const atMost = (max: number) => z.string().max(max, `Must be at most ${max} characters.`)
const filled = (max: number) =>
  z.string().trim().min(1, 'Must not be empty.').max(max, `Must be at most ${max} characters.`)

const eventNameText = filled(255).meta({ description: 'Any event, your own or one the service records.' })

const TriggerConfig = z.object({ eventName: z.string() })

const workflowFields = {
  id: z.uuid(),
  name: z.string(),
  description: z.string().nullable(),
  triggerType: z.enum(['EVENT', 'MANUAL']),
  triggerConfig: TriggerConfig.nullable().meta({ description: 'Null while no event is chosen.' }),
  enabled: z.boolean(),
  allowReentry: z
    .boolean()
    .meta({ description: 'False: once per contact, ever. True: again, when the last one has ended.' }),
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
    type: z.enum(STEP_TYPES),
    name: z.string().nullable(),
    config: anyObject,
    templateId: z.uuid().nullable(),
    position: z.unknown().nullable(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'WorkflowStep' })

const branch = z.enum(BRANCHES)

export const WorkflowTransition = z
  .object({
    id: z.uuid(),
    workflowId: z.uuid(),
    fromStepId: z.uuid(),
    toStepId: z.uuid(),
    branch: branch.nullable(),
    condition: z.object({ branch }).nullable().meta({ description: 'The same as `branch`.' }),
    createdAt: z.date(),
  })
  .meta({ id: 'WorkflowTransition' })

export const WorkflowWithGraph = z
  .object({ ...workflowFields, steps: z.array(WorkflowStep), transitions: z.array(WorkflowTransition) })
  .meta({ id: 'WorkflowWithGraph' })

const description = atMost(1_000).nullable()
const triggerConfig = z
  .object({ eventName: eventNameText.nullable().optional() })
  .nullable()
  .meta({ description: 'The event that starts it. `eventName` at the top level means the same.' })

export const NewWorkflow = z.object({
  name: filled(NAME_MAX),
  description: description.optional(),
  eventName: eventNameText.nullable().optional(),
  triggerConfig: triggerConfig.optional(),
  allowReentry: z.boolean().optional(),
})

/** What a new workflow always begins with, EVENT and disabled, is changed here. */
export const WorkflowChanges = NewWorkflow.extend({
  triggerType: z.enum(['EVENT', 'MANUAL']),
  enabled: z.boolean(),
}).partial()

export const WorkflowListQuery = z.object({
  page: pageParam,
  pageSize: sizeParam(PAGE_SIZE_MAX),
  search: z.string().optional().meta({ description: 'Part of the name, description or event, in any case.' }),
})

export const WorkflowPage = pageOf(Workflow)

const config = jsonObject.meta({ description: 'What the step does: see the guide to workflows.' })

const templateId = z.uuid('Must be a template id.').nullable()
const stepName = filled(NAME_MAX).nullable()

const position = smallJson.meta({ description: 'Where an editor draws the step; kept as it is.' })

export const NewStep = z.object({
  type: z.enum(STEP_TYPES),
  name: stepName.optional(),
  config: config.optional(),
  templateId: templateId.optional(),
  position: position.optional(),
})

export const StepChanges = NewStep.partial()

export const StepDeletion = z.object({
  splice: z
    .string()
    .optional()
    .transform((text) => text === 'true' || text === '1')
    .meta({ type: 'boolean', description: 'Connect what led to the step with what followed it.' }),
})

export const NewTransition = z.object({
  fromStepId: z.uuid('Must be a step id.'),
  toStepId: z.uuid('Must be a step id.'),
  branch: branch.nullable().optional(),
  condition: z.object({ branch: branch.nullable().optional() }).nullable().optional(),
})

export const FieldListQuery = z.object({
  eventName: z.string().optional().meta({ description: 'Only the data of events of this name.' }),
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

/** The settings of a step by the rules of its type; problems are told as those of `config`. */
export function validateConfig(schema: z.ZodType, config: unknown): unknown {
  return validate(z.object({ config: schema }), { config }).config
}
