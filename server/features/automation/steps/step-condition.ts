/** CONDITION: continues on `yes` or `no`. Conditions mean the same here as in segments and audiences. */
import { type Condition, filtersOf, targetOf } from '../../../kernel/conditions/condition.ts'
import { stepCondition } from '../../../kernel/conditions/condition-schema.ts'
import { filterMatching, requireReferences } from '../../audience/segments/actions.ts'
import { defineStep, type Outcome, type StepInput } from './step.ts'

/** A simulation reports for each filter whether it matched, up to this many. */
const REASONS_MAX = 20

export const conditionStep = defineStep({
  type: 'CONDITION',
  config: stepCondition,
  branches: ['yes', 'no'],
  async prepare(condition: Condition, given, { ctx, tx, projectId }) {
    await requireReferences(ctx, projectId, condition, tx, 'config')
    const used_fields = [...new Set(filtersOf(condition).map(({ field }) => field))]
    return 'groups' in given.config ? { used_fields } : { used_fields, config: asSingleFilter(condition) }
  },
  run: async (input, condition) => decided(await matches(input, condition)),
  async runMany(inputs, condition) {
    if (usesEvent(condition)) {
      const outcomes: Decision[] = []
      for (const input of inputs) outcomes.push(decided(await matches(input, condition)))
      return outcomes
    }
    const [{ db, projectId, now }] = inputs as [StepInput]
    const ids = inputs.map(({ contact }) => contact.id)
    const matching = await filterMatching(db, projectId, ids, condition, { now })
    return ids.map((id) => decided(matching.has(id)))
  },
  async simulate(input, condition) {
    const matched = await matches(input, condition)
    const reasons = []
    for (const filter of filtersOf(condition).slice(0, REASONS_MAX)) {
      const alone: Condition = { logic: 'AND', groups: [{ filters: [filter] }] }
      reasons.push({ ...filter, matched: await matches(input, alone) })
    }
    return decided(matched, { reasons })
  },
})

/** A condition that was sent as one filter is stored as one. */
const asSingleFilter = (condition: Condition) => ({ ...condition.groups[0]!.filters[0]! })

const matches = async ({ db, projectId, contact, execution, now }: StepInput, condition: Condition): Promise<boolean> =>
  (await filterMatching(db, projectId, [contact.id], condition, { now, event: execution.event ?? {} })).size > 0

/** Each execution has its own event, so such a condition can't be checked for several at once. */
const usesEvent = (condition: Condition): boolean =>
  filtersOf(condition).some(({ field, operator }) => targetOf(field, operator)?.family === 'event-data')

type Decision = Outcome<'yes' | 'no'>

const decided = (matched: boolean, more: Record<string, unknown> = {}): Decision => ({
  kind: 'continue',
  branch: matched ? 'yes' : 'no',
  output: { matched, branch: matched ? 'yes' : 'no', ...more },
})
