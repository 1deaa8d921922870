/** Requests and responses about executions and simulations. */
import { z } from 'zod'
import { PAGE_SIZE_MAX, pageOf, pageParam, sizeParam } from '../../../kernel/pages.ts'
import { emailCountFields } from '../../../kernel/sending/email-rates.ts'
import { STEP_TYPES } from '../steps/registry.ts'
import { jsonObject } from '../workflows/schemas.ts'

export const EXECUTION_STATUSES = ['RUNNING', 'WAITING', 'COMPLETED', 'EXITED', 'FAILED', 'CANCELLED'] as const
const RUN_STATUSES = ['RUNNING', 'WAITING', 'COMPLETED', 'SKIPPED', 'FAILED', 'CANCELLED'] as const

const anyObject = z.record(z.string(), z.unknown())

const executionFields = {
  id: z.uuid(),
  workflowId: z.uuid(),
  contactId: z.uuid().nullable().meta({ description: 'Null if the contact was deleted.' }),
  status: z.enum(EXECUTION_STATUSES),
  currentStepId: z.uuid().nullable(),
  exitReason: z.string().nullable(),
  goalReached: z.boolean().meta({ description: "It ended because the event of the workflow's goal occurred." }),
  error: z.string().nullable(),
  context: anyObject,
  event: anyObject
    .nullable()
    .meta({ description: 'Data of the event that started it; null if it was started manually.' }),
  resumeAt: z.date().nullable().meta({
    description: 'When it continues at the latest, if it waits; null if it waits for an event without a timeout.',
  }),
  startedAt: z.date(),
  completedAt: z.date().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
}

export const Execution = z.object(executionFields).meta({ id: 'WorkflowExecution' })

const StepRun = z
  .object({
    id: z.uuid(),
    stepId: z.uuid(),
    type: z.enum(STEP_TYPES),
    status: z.enum(RUN_STATUSES),
    output: anyObject.nullable(),
    error: z.string().nullable(),
    startedAt: z.date(),
    completedAt: z.date().nullable(),
    resumeAt: z.date().nullable(),
  })
  .meta({ id: 'WorkflowStepRun' })

export const ExecutionWithSteps = z
  .object({ ...executionFields, steps: z.array(StepRun) })
  .meta({ id: 'WorkflowExecutionWithSteps' })

const contactId = z.uuid('Must be a contact ID.')

export const NewExecution = z.object({
  contactId,
  context: jsonObject.nullable().optional().meta({
    description: 'Variables for the templates of the steps, such as {"coupon": "SPRING"}. At most 64 KB as JSON.',
  }),
})

export const ExecutionListQuery = z.object({
  page: pageParam,
  pageSize: sizeParam(PAGE_SIZE_MAX),
  status: z
    .string()
    .optional()
    .meta({ enum: [...EXECUTION_STATUSES] }),
  contactId: z.string().optional().meta({ format: 'uuid' }),
})

export const ExecutionPage = pageOf(Execution)

export const SegmentStart = z.object({ segmentId: z.uuid('Must be a segment ID.') })

export const SegmentStarted = z.object({ queued: z.literal(true) })

export const Move = z.object({
  stepId: z.uuid('Must be a step ID.').meta({ description: 'The step at which the execution continues.' }),
})

export const MovesQueued = z.object({ queued: z.literal(true) })

const count = z.number().int()

export const StatsQuery = z.object({
  version: z.coerce.number().int().min(1).optional().meta({
    description: 'Count only executions that started with this published version.',
  }),
})

export const WorkflowStats = z
  .object({
    active: count.meta({ description: 'Executions that are running or waiting.' }),
    counted: count.meta({ description: 'How many executions the counts of goals and steps cover: the newest ones.' }),
    converted: count.meta({ description: 'How many of them reached the goal of the workflow.' }),
    version: count.nullable().meta({ description: 'The version that the request asked for; null for all.' }),
    versions: z
      .array(
        z.object({
          number: count,
          publishedAt: z.date(),
          counted: count.meta({ description: 'Executions that started with this version: at most the newest 5,000.' }),
          active: count.meta({ description: 'How many of them are running or waiting.' }),
          completed: count.meta({ description: 'How many of them ended without a failure.' }),
          failed: count,
          converted: count.meta({ description: 'How many of them reached the goal of the workflow.' }),
        }),
      )
      .meta({
        description:
          'The newest 10 published versions. An execution counts for the version that was published when its cause happened, even if it continues with a later one.',
      }),
    steps: z.array(
      z.object({
        stepId: z.uuid(),
        active: count.meta({ description: 'Executions that are at the step now.' }),
        entered: count,
        completed: count,
        skipped: count,
        failed: count,
        emails: count.meta({ description: 'Emails of the step that were sent.' }),
        delivered: emailCountFields.delivered,
        refused: emailCountFields.refused,
        bounced: emailCountFields.bounced,
        opened: emailCountFields.opened,
        clicked: emailCountFields.clicked,
        converted: count.meta({
          description: 'Executions that entered the step and reached the goal of the workflow.',
        }),
      }),
    ),
  })
  .meta({ id: 'WorkflowStats' })

export const WorkflowCounts = z.array(
  z
    .object({
      workflowId: z.uuid(),
      active: count.meta({ description: 'Executions that are running or waiting.' }),
      completed: count.meta({ description: 'Executions that ended without a failure in the last 7 days.' }),
    })
    .meta({ id: 'WorkflowCounts' }),
)

export const WorkflowFailures = z.array(
  z
    .object({
      workflowId: z.uuid(),
      workflowName: z.string(),
      stepId: z.uuid().nullable().meta({ description: 'Null if the step was deleted.' }),
      stepName: z.string().nullable(),
      type: z.enum(STEP_TYPES).nullable(),
      failed: count,
      error: z.string().nullable().meta({ description: 'The error of the most recent failure.' }),
      lastFailedAt: z.date(),
    })
    .meta({ id: 'WorkflowFailure' }),
)

export const Cancelled = z.object({ cancelled: z.number().int() })

export const SimulationRequest = z.object({
  contactId,
  event: jsonObject.nullable().optional().meta({ description: 'The data of the event that starts the simulation.' }),
  context: jsonObject.nullable().optional(),
  assumeEvents: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the events that steps wait for occur. Defaults to true.' }),
  draft: z.boolean().optional().meta({ description: 'Simulate the draft instead of the published graph.' }),
})

export const Simulation = z
  .object({
    status: z.enum(['COMPLETED', 'EXITED', 'FAILED']),
    exitReason: z.string().nullable(),
    error: z.string().nullable(),
    path: z.array(
      z.object({
        stepId: z.uuid(),
        type: z.enum(STEP_TYPES),
        name: z.string().nullable(),
        status: z.enum(RUN_STATUSES),
        branch: z.string().nullable(),
        at: z.date().meta({ description: 'When the step would be reached, including delays.' }),
        output: anyObject.nullable(),
        error: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'WorkflowSimulation' })
