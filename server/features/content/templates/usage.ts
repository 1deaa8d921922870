/** What uses a template, and whether the template can be deleted. */
export interface TemplateUser {
  kind: 'campaign' | 'workflow-step'
  id: string
  name: string | null
  /** The workflow of a step. */
  workflow_id: string | null
  workflow_name: string | null
  /** A step, or an unfinished campaign. */
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

/** The reason why a template can't be deleted, or undefined. */
export function inUseReason(users: TemplateUser[]): string | undefined {
  const [first, ...others] = users.filter((user) => user.needs_it)
  if (!first) return undefined
  const whose =
    first.kind === 'campaign'
      ? `the campaign "${first.name}", which hasn't completed yet`
      : `a step of the workflow "${first.workflow_name}"`
  const more = others.length === 0 ? '' : `, and in ${others.length} other ${others.length === 1 ? 'place' : 'places'}`
  return `The template is used by ${whose}${more}.`
}
