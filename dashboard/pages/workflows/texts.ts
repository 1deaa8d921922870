/** The texts of the workflow pages. Those of the step types are in `steps/`. */

import { formatCount, formatNumber } from '../../figures/format.ts'
import { translated } from '../../languages/language.ts'
import { executionTexts } from './execution-texts.ts'
import type { Branch } from './steps/step.ts'

const count = (amount: number, one: string, many: string) => formatCount(amount, { one, other: many })

const isAnswer = (branch: string) => branch === 'yes' || branch === 'no'

/** Whether it is the transition of a step that can take the same one for both branches. */
const isEitherBranch = (branch: Branch, branches: Branch[]) => branch === null && branches.length > 1

export const workflowTexts = translated('workflows', {
  workflow: 'Workflow',
  workflows: 'Workflows',
  enabled: 'Enabled',
  disabled: 'Disabled',
  name: 'Name',
  description: 'Description',
  event: 'Event',
  manualStart: 'Manual start',
  erasedContact: 'Deleted contact',
  invalidJson: 'This isn’t valid JSON.',

  list: {
    lead: 'Send emails and run other steps automatically when something happens.',
    create: 'Create workflow',
    search: 'Search workflows',
    columns: {
      trigger: 'Trigger',
      status: 'Status',
      active: 'Active',
      completed: 'Completed in 7 days',
      updated: 'Updated',
    },
    sort: 'Sort by',
    sorts: { '': 'Newest first', updatedAt: 'Recently edited', name: 'Name' },
    noTrigger: '–',
    active: (active: number) => `${formatNumber(active)} active`,
    noCount: '–',
    actionsFor: (name: string) => `Actions for ${name}`,
    emptyTitle: 'No workflows yet',
    empty:
      'A workflow runs a series of steps for a contact when an event occurs. Use one to welcome new customers or to follow up on abandoned carts.',
    noMatchTitle: 'No matching workflows',
    noMatch: 'Search for a different name, description or event.',
    namePlaceholder: 'Welcome new users',
    triggerEvent: 'Trigger event',
    triggerHint: 'The workflow starts for a contact when this event occurs. You can change the trigger later.',
    cancel: 'Cancel',
    submit: 'Create workflow',
    import: 'Import workflow',
    importFile: 'Workflow file (JSON)',
    importNotJson: 'This file isn’t valid JSON. Choose a file that was exported from a workflow.',
    imported: 'Workflow imported. Enable it to start executions.',
  },

  starters: {
    title: 'Or start with a ready-made workflow',
    upgraded: 'Upgraded',
    names: {
      welcome: 'Welcome new users',
      trial: 'Remind users before a trial ends',
      returning: 'Win back inactive users',
    },
    descriptions: {
      welcome: 'Sends a welcome email after sign-up, and a survey a week later.',
      trial: 'Sends a reminder 11 days after a trial starts, unless the contact upgrades.',
      returning: 'Sends an email to inactive users, and records who returns within two weeks.',
    },
  },

  one: {
    tabs: { graph: 'Editor', executions: 'Executions', settings: 'Settings' },
    enable: 'Enable workflow',
    disable: 'Disable workflow',
    disableShort: 'Disable',
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
    general: 'Name and description',
    triggerTitle: 'Trigger, re-entry and goal',
    tags: 'Tags',
    tagsLead: 'Use tags to filter the list of workflows. Changes are saved immediately.',
    trigger: 'Trigger',
    triggers: { EVENT: 'An event', MANUAL: 'Manual start only' },
    reentry: 'Re-entry',
    reentryModes: {
      once: 'Each contact enters once',
      always: 'Contacts enter again after they finish',
      interval: 'Contacts enter again after some days',
    },
    reentryHints: {
      once: 'A contact that has been in the workflow never enters it again.',
      always: 'A contact can enter as soon as its last execution has ended.',
      interval: 'The days are counted from when the contact last entered, and its last execution must have ended.',
    },
    reentryDays: 'Days',
    goal: 'Goal (optional)',
    goalHint:
      'When this event occurs for a contact, its execution is completed wherever it is, and counts as a conversion.',
    recorded: (times: number, contacts: number) =>
      `Recorded ${formatCount(times, { one: 'time', other: 'times' })} for ${formatCount(contacts, { one: 'contact', other: 'contacts' })}.`,
    notRecorded: 'No events with this name are stored.',
    triggerChange:
      'A new trigger applies to contacts that enter from now on. Contacts already in the workflow continue.',
    save: 'Save settings',
    saved: 'Settings saved.',
  },

  graph: {
    label: 'Workflow graph',
    palette: 'Step types',
    paletteHint: 'Click a type to add a step, or drag it onto a connection.',
    trigger: 'Trigger',
    noEvent: 'No event selected',
    notConfigured: 'Not configured yet',
    incomplete: 'Complete this step',
    notReached: 'Not reached',
    unconnected: 'No step leads here',
    loop: 'These steps can’t be connected, because the second one leads back to the first.',
    selfConnection: 'A step can’t lead to itself.',
    change: { added: 'New', changed: 'Edited' },
    counts: {
      none: 'No contacts yet',
      active: (amount: string) => `${amount} here now`,
      entered: (amount: string) => `${amount} entered`,
      emails: (sent: string, opened: string, clicked: string) => `${sent} sent · ${opened} opened · ${clicked} clicked`,
      failed: (amount: string) => `${amount} failed`,
      converted: (share: string) => `${share} converted`,
    },
    addFirst: 'Add the first step',
    addBefore: (step: string) => `Add a step before “${step}”`,
    addBetween: (from: string, to: string) => `Add a step between “${from}” and “${to}”`,
    addAfter: (step: string, branch: Branch) =>
      !branch
        ? `Add a step after “${step}”`
        : isAnswer(branch)
          ? `Add a step after “${step}” if ${branch}`
          : `Add a step after “${step}” on branch “${branch}”`,
    removeConnection: (from: string, to: string) => `Remove the connection from “${from}” to “${to}”`,
    connectionLabel: (from: string, to: string, when: string) => `From “${from}” to “${to}”${when && `, ${when}`}`,
    stepLabel: (step: string, active: number) =>
      active > 0 ? `Step “${step}”, ${count(active, 'contact is', 'contacts are')} here now` : `Step “${step}”`,
    triggerLabel: (trigger: string) => `Trigger: ${trigger}`,
    aria: {
      'node.a11yDescription.default':
        'Press Enter to edit the step, Delete to remove it, and the arrow keys to move it while it is selected.',
      'node.a11yDescription.keyboardDisabled': 'Press Enter to edit the step.',
      'edge.a11yDescription.default': 'Press Enter to select the connection, then Delete to remove it.',
      'controls.ariaLabel': 'View',
      'controls.zoomIn.ariaLabel': 'Zoom in',
      'controls.zoomOut.ariaLabel': 'Zoom out',
      'controls.fitView.ariaLabel': 'Show the whole graph',
    },
  },

  tools: {
    label: 'Graph tools',
    undo: 'Undo',
    redo: 'Redo',
    tidy: 'Tidy up the layout',
    tidyShort: 'Tidy up',
    simulate: 'Simulate workflow',
    simulateShort: 'Simulate',
    versions: 'Show versions',
    versionsShort: 'Versions',
  },

  trigger: {
    title: 'Trigger',
    lead: 'Choose what starts this workflow for a contact.',
    save: 'Save trigger',
    saved: 'Trigger saved.',
  },

  publishing: {
    label: 'Unpublished changes',
    summary: ({ added, changed, removed }: { added: unknown[]; changed: unknown[]; removed: unknown[] }) => {
      const parts = [
        added.length > 0 && `${formatNumber(added.length)} added`,
        changed.length > 0 && `${formatNumber(changed.length)} edited`,
        removed.length > 0 && `${formatNumber(removed.length)} removed`,
      ].filter((part) => part !== false)
      return parts.length > 0 ? `Unpublished steps: ${parts.join(', ')}` : 'Unpublished changes'
    },
    saved: 'Draft saved.',
    saving: 'Saving the draft…',
    failed: 'The draft couldn’t be saved.',
    conflict: 'The draft was changed in another window. Yours is only in this one.',
    saveOver: 'Save mine over it',
    outdated: 'The published steps were changed after this draft was started. Publishing replaces them.',
    retry: 'Save again',
    reload: 'Load the other draft',
    publish: 'Publish changes',
    published: 'Changes published. Contacts follow the new steps from now on.',
    publishedDisabled: 'Changes published. Enable the workflow to start executions.',
    invalid: 'Complete the marked steps before you publish.',
    discard: 'Discard changes',
    discardTitle: 'Discard the unpublished changes?',
    discardEffect: ({ added, changed, removed }: { added: unknown[]; changed: unknown[]; removed: unknown[] }) =>
      `The graph returns to the published version: ${count(added.length, 'new step is', 'new steps are')} removed, ${count(changed.length, 'edit is', 'edits are')} reverted, and ${count(removed.length, 'removed step is', 'removed steps are')} restored. You can undo this until you leave the page.`,
    keep: 'Keep changes',
  },

  removal: {
    title: (step: string | undefined, steps: number) => (step ? `Remove “${step}”?` : `Remove ${steps} steps?`),
    lead: (contacts: number, steps: number) =>
      `${count(contacts, 'contact is', 'contacts are')} at ${steps === 1 ? 'this step' : 'these steps'}, and stay there until you publish your changes. Choose what happens to them then.`,
    choice: 'What happens to them',
    move: {
      title: 'Move them to the next step',
      hint: 'They continue immediately with the next step. If there is none, their executions are completed.',
    },
    moveTo: (step: string | undefined, branch: string | undefined) =>
      step
        ? {
            title: 'Move them to the next step',
            hint: `They continue immediately with “${step}”${branch ? `, as on the branch “${branch}”` : ''}.`,
          }
        : { title: 'Complete their executions', hint: 'No step follows, so they reach the end of the workflow.' },
    cancel: { title: 'Cancel their executions', hint: 'They leave the workflow and receive nothing more from it.' },
    keep: (steps: number) => (steps === 1 ? 'Keep the step' : 'Keep the steps'),
    remove: (steps: number) => (steps === 1 ? 'Remove step' : 'Remove steps'),
  },

  enabling: {
    title: 'Enable this workflow',
    lead: 'It starts when contacts enter a segment.',
    label: 'Start for',
    options: {
      new: { title: 'Contacts who enter from now on', hint: 'Contacts who are in the segment now don’t start.' },
      all: {
        title: 'Also those who are in it now',
        hint: 'Contacts who were in this workflow before start only if it allows re-entry.',
      },
    },
    cancel: 'Cancel',
    enable: 'Enable workflow',
  },

  versions: {
    title: 'Versions',
    lead: 'Each time you publish, the graph is saved as a version.',
    empty: 'No versions yet. Publish your changes to create the first one.',
    name: (number: number) => `Version ${formatNumber(number)}`,
    current: '(latest)',
    steps: (steps: number) => count(steps, 'step', 'steps'),
    numbers: (started: number, completed: string, failed: string) =>
      `${count(started, 'contact', 'contacts')} started · ${completed} completed · ${failed} failed`,
    converted: (share: string) => `${share} reached the goal`,
    numbersHint: 'Contacts who started with this version, at most the newest 5,000.',
    restore: 'Load as draft',
    restoreLabel: (number: number) => `Load version ${formatNumber(number)} as draft`,
    restored: (number: number) => `Version ${formatNumber(number)} is now the draft. Publish it to use it.`,
  },

  start: {
    open: 'Start for contacts',
    title: 'Start this workflow',
    lead: 'Contacts that are already in the workflow or can’t enter it again are skipped.',
    audience: 'Start for',
    audiences: { contact: 'One contact', segment: 'A segment' },
    segment: 'Segment',
    segmentSize: (members: number) => `${count(members, 'contact', 'contacts')} in this segment.`,
    submit: 'Start workflow',
    startedContact: (email: string) => `Workflow started for ${email}.`,
    startedSegment: (segment: string) => `Starting the workflow for the contacts in “${segment}”.`,
  },

  branches: {
    name: (branch: NonNullable<Branch>) => (isAnswer(branch) ? (branch === 'yes' ? 'Yes' : 'No') : branch),
    next: (branch: Branch, branches: Branch[]) => {
      if (branch) return isAnswer(branch) ? `Next step if ${branch}` : `Next step on branch “${branch}”`
      return isEitherBranch(branch, branches) ? 'Next step in both cases' : 'Next step'
    },
  },

  step: {
    label: 'Step',
    close: 'Close panel',
    none: 'None',
    duplicate: 'Duplicate',
    remove: 'Remove step',
    removeMany: (steps: number) => `Remove ${count(steps, 'step', 'steps')}`,
    removedToast: (steps: number) => `${count(steps, 'step', 'steps')} removed.`,
    selected: (steps: number) => `${count(steps, 'step', 'steps')} selected`,
    selectedHint: 'Drag the steps to move them together, or copy them with Ctrl+C and paste them into any workflow.',
    removed: (type: string) => `${type} (removed)`,
  },

  simulation: {
    title: 'Simulate',
    lead: 'See which steps would run for a contact. Nothing is sent or changed.',
    contact: 'Contact',
    assumeEvents: 'Assume that events the workflow waits for occur',
    eventData: 'Event data (JSON)',
    submit: 'Run simulation',
    incomplete: 'Complete the marked steps before you simulate the workflow.',
    clear: 'Clear',
    path: 'Simulated path',
    result: 'Result:',
  },
})

export const texts = { ...workflowTexts, ...executionTexts }
