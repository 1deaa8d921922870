/** The workflows and campaigns that a condition refers to have to exist when it is stored. */
import { type Condition, filterPlacesOf, targetOf } from '../../../../kernel/conditions/condition.ts'
import { invalid } from '../../../../kernel/errors.ts'
import type { Database, Tx } from '../../../../platform/database/connection/connect.ts'
import { findCampaignIds, findWorkflowIds } from './reference-queries.ts'

interface Reference {
  id: string
  path: string
}

export async function requireBehaviorReferences(
  db: Database | Tx,
  projectId: string,
  condition: Condition,
  at: string,
): Promise<void> {
  const places = filterPlacesOf(condition, at)
  const workflows: Reference[] = places.flatMap(({ filter, path }) => {
    const target = targetOf(filter.field, filter.operator)
    return target?.family === 'workflow' ? [{ id: target.workflowId, path: `${path}.field` }] : []
  })
  const campaigns: Reference[] = places.flatMap(({ filter, path }) =>
    targetOf(filter.field, filter.operator)?.family !== 'activity'
      ? []
      : (filter.where ?? []).flatMap(({ property, value }, i) =>
          property === 'campaignId' ? [{ id: String(value).toLowerCase(), path: `${path}.where.${i}.value` }] : [],
        ),
  )
  const problems = [
    ...(await missing(workflows, (ids) => findWorkflowIds(db, projectId, ids))).map(({ id, path }) => ({
      field: path,
      message: `There is no workflow with the ID ${id} in this project. Use the ID of a workflow from GET /workflows.`,
      code: 'unknown_workflow',
    })),
    ...(await missing(campaigns, (ids) => findCampaignIds(db, projectId, ids))).map(({ id, path }) => ({
      field: path,
      message: `There is no campaign with the ID ${id} in this project. Use the ID of a campaign from GET /campaigns.`,
      code: 'unknown_campaign',
    })),
  ]
  if (problems.length > 0) throw invalid(problems)
}

async function missing(references: Reference[], find: (ids: string[]) => Promise<string[]>): Promise<Reference[]> {
  if (references.length === 0) return []
  const known = new Set(await find([...new Set(references.map(({ id }) => id))]))
  return references.filter(({ id }) => !known.has(id))
}
