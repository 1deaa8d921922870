/** CONDITION: takes the branch `yes` or `no`. A condition means here what it means in segments and audiences. */
import { type Condition, filtersOf, targetOf } from '../../kernel/condition.ts'
import { stepCondition } from '../../kernel/condition-schema.ts'
import { whoMatches } from '../segments/actions.ts'
import { type Outcome, type Scene, stepKind } from './step-kind.ts'

/** A simulation tells of each filter whether it holds, up to this many. */
const REASONS_MAX = 20

export const conditionStep = stepKind<Condition>({
  type: 'CONDITION',
  config: stepCondition,
  run: async (scene, condition) => decided(await matches(scene, condition)),
  async runTogether(scenes, condition) {
    const [{ ctx, projectId, now }] = scenes as [Scene]
    if (looksAtEvent(condition)) {
      const outcomes: Outcome[] = []
      for (const scene of scenes) outcomes.push(decided(await matches(scene, condition)))
      return outcomes
    }
    const ids = scenes.map(({ contact }) => contact.id)
    const matching = await whoMatches(ctx.db, projectId, ids, condition, { now })
    return ids.map((id) => decided(matching.has(id)))
  },
  async simulate(scene, condition) {
    const matched = await matches(scene, condition)
    const reasons = []
    for (const filter of filtersOf(condition).slice(0, REASONS_MAX)) {
      const alone: Condition = { logic: 'AND', groups: [{ filters: [filter] }] }
      reasons.push({ ...filter, matched: await matches(scene, alone) })
    }
    return decided(matched, { reasons })
  },
})

const matches = async ({ ctx, projectId, contact, execution, now }: Scene, condition: Condition): Promise<boolean> =>
  (await whoMatches(ctx.db, projectId, [contact.id], condition, { now, event: execution.event ?? {} })).size > 0

/** Then it means something else for each of them. */
const looksAtEvent = (condition: Condition): boolean =>
  filtersOf(condition).some(({ field, operator }) => targetOf(field, operator)?.family === 'event-data')

const decided = (matched: boolean, more: Record<string, unknown> = {}): Outcome => ({
  kind: 'goes on',
  branch: matched ? 'yes' : 'no',
  output: { matched, branch: matched ? 'yes' : 'no', ...more },
})
