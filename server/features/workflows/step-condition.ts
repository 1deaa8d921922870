/** CONDITION: takes the branch `yes` or `no`. A condition means here what it means in segments and audiences. */
import { type Condition, filtersOf } from '../../kernel/condition.ts'
import { stepCondition } from '../../kernel/condition-schema.ts'
import { matchesContact } from '../segments/actions.ts'
import { type Outcome, type Scene, stepKind } from './step-kind.ts'

/** A simulation tells of each filter whether it holds, up to this many. */
const REASONS_MAX = 20

export const conditionStep = stepKind<Condition>({
  type: 'CONDITION',
  config: stepCondition,
  run: async (scene, condition) => decided(await matches(scene, condition)),
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

const matches = ({ ctx, projectId, contact, execution, now }: Scene, condition: Condition): Promise<boolean> =>
  matchesContact(ctx.db, projectId, contact.id, condition, { now, event: execution.event ?? {} })

const decided = (matched: boolean, more: Record<string, unknown> = {}): Outcome => ({
  kind: 'goes on',
  branch: matched ? 'yes' : 'no',
  output: { matched, branch: matched ? 'yes' : 'no', ...more },
})
