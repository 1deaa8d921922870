import { describe, expect, it } from 'vitest'
import { inUseReason, showUsage, type TemplateUser } from './usage.ts'

const campaign = (name: string, needs_it: boolean): TemplateUser => ({
  kind: 'campaign',
  id: `id of ${name}`,
  name,
  workflow_id: null,
  workflow_name: null,
  needs_it,
})

const step = (name: string | null): TemplateUser => ({
  kind: 'workflow-step',
  id: `id of ${name}`,
  name,
  workflow_id: 'w',
  workflow_name: 'Onboarding',
  needs_it: true,
})

describe('the usage of a template', () => {
  it('lists campaigns and workflow steps separately, each with its IDs', () => {
    expect(showUsage([campaign('May', false), step('Greet'), campaign('June', true), step(null)])).toEqual({
      campaigns: [
        { id: 'id of May', name: 'May' },
        { id: 'id of June', name: 'June' },
      ],
      workflowSteps: [
        { id: 'id of Greet', name: 'Greet', workflowId: 'w', workflowName: 'Onboarding' },
        { id: 'id of null', name: null, workflowId: 'w', workflowName: 'Onboarding' },
      ],
    })
  })
})

describe('a template', () => {
  it.each<[string, TemplateUser[], string | undefined]>([
    ['nobody uses it', [], undefined],
    ['only campaigns that have ended used it', [campaign('May', false)], undefined],
    [
      'a campaign has not ended',
      [campaign('May', false), campaign('June', true)],
      `The template is used by the campaign "June", which hasn't completed yet.`,
    ],
    [
      'a step uses it and a campaign has not ended',
      [step('Greet'), campaign('June', true)],
      'The template is used by a step of the workflow "Onboarding", and in 1 other place.',
    ],
    [
      'three steps use it',
      [step('a'), step('b'), step('c')],
      'The template is used by a step of the workflow "Onboarding", and in 2 other places.',
    ],
  ])('is in use or not, because %s: %o', (_case, users, reason) => {
    expect(inUseReason(users)).toBe(reason)
  })
})
