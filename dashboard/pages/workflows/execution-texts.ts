/** The texts about executions: their list, their pages, and moving them to another step. */

import { formatCount, formatUnit } from '../../figures/format.ts'
import { translated } from '../../languages/language.ts'

const count = (amount: number, one: string, many: string) => formatCount(amount, { one, other: many })

export const executionTexts = translated('execution', {
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
    cancelAll: 'Cancel all active executions',
    total: (total: number) => count(total, 'execution', 'executions'),
    exited: (reason: string) => `Exited: ${reason}`,
    cancelAllTitle: 'Cancel all active executions?',
    cancelAllEffect: (active: number | undefined) =>
      active === undefined
        ? 'All active executions will stop at their current step. Emails already sent can’t be recalled.'
        : `${count(active, 'active execution will stop at its current step', 'active executions will stop at their current step')}. Emails already sent can’t be recalled.`,
    cancelledAll: (cancelled: number) => `${count(cancelled, 'execution', 'executions')} canceled.`,
  },

  moves: {
    skip: 'Skip the wait',
    moveTo: (step: string) => `Move to “${step}”`,
    continue: 'Continue early',
    skipped: 'The wait is skipped.',
    moved: (step: string) => `Continues at “${step}”.`,
    output: 'Moved to another step',
    all: 'Let all continue',
    allContinue: 'The contacts continue shortly.',
    waitingHere: (contacts: number) => `${count(contacts, 'contact waits', 'contacts wait')} here.`,
    title: (contacts: number) => `Let ${count(contacts, 'contact', 'contacts')} continue now?`,
    skipsWait:
      'Their wait ends now, and they continue as if its time were over. Contacts who arrive later wait as usual.',
    movesTo: (step: string) =>
      `Their wait ends now, and they continue at “${step}”. Contacts who arrive later wait as usual.`,
    leave: 'Let them wait',
    confirm: 'Let them continue',
  },

  execution: {
    title: 'Execution',
    graph: 'Path in the graph',
    steps: 'Steps',
    noSteps: 'No steps have run yet.',
    viewEmail: 'View email',
    goalReached: 'Goal reached',
    goal: (event: string) => `Left when the goal “${event}” was reached`,
    template: (name: string | undefined, version: number) => `${name ?? 'Template'}, version ${version}`,
    started: 'Started <start/>',
    ran: 'Started <start/>, took <duration/>. <contact/>',
    running: 'Started <start/>. <contact/>',
    seconds: (seconds: number) => (seconds < 1 ? 'less than a second' : formatUnit(seconds, 'second')),
    viewContact: 'View contact',
    startedAndResumes: 'Started <start/>, resumes <resume/>',
    cancel: 'Cancel execution',
    cancelled: 'Execution canceled.',
    retry: 'Retry execution',
    retried: 'The execution resumes at the step that failed.',
  },
})
