/** Who uses a template, and whether one of them could not go on without it. */
export interface TemplateUser {
  kind: 'campaign' | 'workflow-step'
  id: string
  name: string | null
  /** Of a step: the workflow it belongs to. */
  workflow_id: string | null
  workflow_name: string | null
  /** A step, or a campaign that has not ended yet. */
  needs_it: boolean
}

export function showUsage(users: TemplateUser[]) {
  return {
    campaigns: users.filter((user) => user.kind === 'campaign').map(({ id, name }) => ({ id, name })),
    workflowSteps: users
      .filter((user) => user.kind === 'workflow-step')
      .map(({ id, name, workflow_id, workflow_name }) => ({
        id,
        name,
        workflowId: workflow_id,
        workflowName: workflow_name,
      })),
  }
}

/** Says why a template has to stay, or nothing. */
export function reasonToKeep(users: TemplateUser[]): string | undefined {
  const [first, ...others] = users.filter((user) => user.needs_it)
  if (!first) return undefined
  const whose =
    first.kind === 'campaign'
      ? `the campaign "${first.name}", which hasn't completed yet`
      : `a step of the workflow "${first.workflow_name}"`
  const more = others.length === 0 ? '' : `, and in ${others.length} other ${others.length === 1 ? 'place' : 'places'}`
  return `The template is used by ${whose}${more}.`
}
