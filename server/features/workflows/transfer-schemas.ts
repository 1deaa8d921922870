/** A workflow as a document. Steps are named by keys, because ids belong to one installation. */
import { z } from 'zod'
import { BRANCHES, STEP_TYPES } from './graph.ts'
import { jsonObject, smallJson } from './json-bounds.ts'
import { NewWorkflow } from './schemas.ts'

export const FORMAT = 'posthorn.workflow.1'

const STEPS_MAX = 200
const key = z.string().min(1, 'Must not be empty.').max(100, 'Must be at most 100 characters.')

const name = z.string().trim().min(1, 'Must not be empty.').max(200, 'Must be at most 200 characters.')

const Step = z.object({
  key,
  type: z.enum(STEP_TYPES),
  name: name.nullable().optional(),
  config: jsonObject.optional(),
  position: smallJson.optional(),
})

const Transition = z.object({ from: key, to: key, branch: z.enum(BRANCHES).nullable().optional() })

export const WorkflowDocument = NewWorkflow.omit({ eventName: true }).extend({
  format: z.literal(FORMAT).optional(),
  triggerType: z.enum(['EVENT', 'MANUAL']).optional(),
  steps: z.array(Step).max(STEPS_MAX, `A workflow has at most ${STEPS_MAX} steps.`),
  transitions: z
    .array(Transition)
    .max(2 * STEPS_MAX, `Must be at most ${2 * STEPS_MAX} transitions.`)
    .optional(),
  templates: z
    .record(z.string(), z.uuid('Must be a template id.'))
    .optional()
    .meta({ description: 'Which template of this project takes the place of which one in the document.' }),
})

const anyObject = z.record(z.string(), z.unknown())

export const ExportedWorkflow = z
  .object({
    format: z.literal(FORMAT),
    name: z.string(),
    description: z.string().nullable(),
    triggerType: z.enum(['EVENT', 'MANUAL']),
    triggerConfig: z.object({ eventName: z.string() }).nullable(),
    allowReentry: z.boolean(),
    steps: z.array(
      z.object({
        key: z.string(),
        type: z.enum(STEP_TYPES),
        name: z.string().nullable(),
        config: anyObject,
        position: z.unknown().nullable(),
      }),
    ),
    transitions: z.array(z.object({ from: z.string(), to: z.string(), branch: z.enum(BRANCHES).nullable() })),
  })
  .meta({ id: 'WorkflowDocument' })
