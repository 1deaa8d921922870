/** The texts of the workflow pages. Those of a single step type are in its file in `steps/`. */
import { formatCount } from '../../parts/format.ts'
import type { Branch } from './steps/step.ts'

const count = (amount: number, one: string, many: string) => formatCount(amount, { one, other: many })

/** Of a step that can also take the same transition for both branches. */
const isEitherBranch = (branch: Branch, branches: Branch[]) => branch === null && branches.length > 1

export const texts = {
  workflow: 'Workflow',
  workflows: 'Workflows',
  enabled: 'Enabled',
  disabled: 'Disabled',
  name: 'Name',
  description: 'Description',
  event: 'Event',
  manualStart: 'Manual start',
  erasedContact: 'Deleted contact',
  invalidJson: "This isn't valid JSON.",

  list: {
    lead: 'Send emails, wait, check conditions and call webhooks automatically after an event.',
    create: 'Create workflow',
    search: 'Search workflows',
    columns: { trigger: 'Trigger', status: 'Status', updated: 'Updated' },
    noTrigger: '–',
    emptyTitle: 'No workflows yet',
    empty:
      'A workflow runs a series of steps for a contact when an event occurs. Use one to welcome new customers or to follow up on abandoned carts.',
    noMatchTitle: 'No matching workflows',
    noMatch: 'Search for a different name, description or event.',
    triggerEvent: 'Trigger event',
    cancel: 'Cancel',
    submit: 'Create workflow',
    import: 'Import workflow',
    importFile: 'Workflow file (JSON)',
    importNotJson: "This file isn't valid JSON. Choose a file that was exported from a workflow.",
    imported: 'Workflow imported. Enable it to start executions.',
  },

  one: {
    tabs: { graph: 'Graph', executions: 'Executions', settings: 'Settings' },
    enable: 'Enable workflow',
    disable: 'Disable workflow',
    enabledToast: 'Workflow enabled.',
    disabledToast: 'Workflow disabled. Active executions continue.',
    duplicate: 'Duplicate workflow',
    duplicated: 'Workflow duplicated. The copy is disabled.',
    export: 'Export workflow',
    deleted: 'Workflow deleted.',
    delete: { title: 'Delete this workflow?', action: 'Delete workflow' },
    deleteHint: 'This permanently deletes the workflow and its executions. Cancel active executions first.',
  },

  settings: {
    trigger: 'Trigger',
    triggers: { EVENT: 'An event', MANUAL: 'Manual start only' },
    allowReentry: 'Contacts can enter the workflow again after their previous execution has ended',
    save: 'Save settings',
    saved: 'Settings saved.',
  },

  graph: {
    label: 'Workflow graph',
    palette: 'Step types',
    trigger: 'Trigger',
    noEvent: 'No event selected',
    emptyHint: 'Add the first step: click a step type above, or drag it onto the canvas.',
    hint: 'Select a step to edit it. Click a step type above to add a step, or drag it onto the canvas. Drag from dot to dot to connect steps.',
  },

  branches: {
    after: (step: string, branch: Branch, branches: Branch[]) => {
      if (branch) return `${step} (${branch})`
      return isEitherBranch(branch, branches) ? `${step} (yes or no)` : step
    },
    next: (branch: Branch, branches: Branch[]) => {
      if (branch) return `Next step if ${branch}`
      return isEitherBranch(branch, branches) ? 'Next step in both cases' : 'Next step'
    },
  },

  step: {
    label: 'Step',
    newLabel: 'New step',
    newTitle: (type: string) => `New step: ${type}`,
    close: 'Close step',
    previous: 'Previous step',
    none: 'None',
    add: 'Add step',
    save: 'Save step',
    saved: 'Step saved.',
    remove: 'Remove step',
    removed: (type: string) => `${type} (removed)`,
  },

  simulation: {
    title: 'Simulate',
    lead: 'See which steps would run for a contact. Nothing is sent or changed.',
    contact: 'Contact',
    assumeEvents: 'Assume that events the workflow waits for occur',
    eventData: 'Event data (JSON)',
    submit: 'Simulate workflow',
    clear: 'Clear',
    path: 'Simulated path',
    result: 'Result:',
  },

  executions: {
    title: 'Executions',
    lead: 'One execution for each time a contact entered the workflow.',
    status: 'Status',
    anyStatus: 'Any status',
    columns: { contact: 'Contact', status: 'Status', step: 'Step', started: 'Started' },
    noStep: '–',
    emptyTitle: 'No executions',
    empty: 'An execution starts when the trigger event occurs for a contact. Enable the workflow to start executions.',
    emptyFiltered: 'No executions with this status.',
    cancelAll: 'Cancel all executions',
    cancelAllTitle: 'Cancel all active executions?',
    cancelAllEffect: (active: number | undefined) =>
      active === undefined
        ? "All active executions will stop at their current step. Emails already sent can't be recalled."
        : `${count(active, 'active execution will stop at its current step', 'active executions will stop at their current step')}. Emails already sent can't be recalled.`,
    cancelledAll: (cancelled: number) => `${count(cancelled, 'execution', 'executions')} canceled.`,
  },

  execution: {
    title: 'Execution',
    graph: 'Path in the graph',
    steps: 'Steps',
    noSteps: 'No steps have run yet.',
    started: 'Started <start/>',
    startedAndResumes: 'Started <start/>, resumes <resume/>',
    cancel: 'Cancel execution',
    cancelled: 'Execution canceled.',
    retry: 'Retry execution',
    retried: 'The execution resumes at the step that failed.',
  },
}
