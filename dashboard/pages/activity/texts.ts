/** Texts of the activity page. */
export const texts = {
  title: 'Activity',
  lead: 'Everything that happens in this project, in real time.',
  type: 'Type',
  allTypes: 'All activity',
  live: 'Live',
  paused: 'Paused',
  connecting: 'Connecting…',
  pause: 'Pause updates',
  resume: 'Resume updates',
  emptyTitle: 'No activity yet',
  empty:
    'Emails, events, campaigns and workflows appear here as they happen. Send an email or track an event to see the first entry.',
  column: { activity: 'Activity', contact: 'Contact', details: 'Details', date: 'Date' },
  /** Events that you track are shown by their own name. */
  types: {
    'email.sent': 'Email sent',
    'email.delivery': 'Email delivered',
    'email.open': 'Email opened',
    'email.click': 'Link clicked',
    'email.bounce': 'Email bounced',
    'email.complaint': 'Marked as spam',
    'email.received': 'Email received',
    'contact.subscribed': 'Contact subscribed',
    'contact.unsubscribed': 'Contact unsubscribed',
    'campaign.scheduled': 'Campaign scheduled',
    'campaign.sent': 'Campaign started',
    'workflow.started': 'Workflow started',
    'workflow.completed': 'Workflow completed',
    'workflow.failed': 'Workflow failed',
  } as Record<string, string>,
  upcoming: {
    title: 'Upcoming',
    empty: 'Nothing is scheduled.',
    unnamed: 'Unnamed',
    campaignStarts: 'Scheduled campaign',
    waits: (email: string | undefined, event: string) =>
      email ? `${email} is waiting for “${event}”` : `A contact is waiting for “${event}”`,
    continues: (email: string | undefined) => (email ? `Next step for ${email}` : 'Next step for a contact'),
  },
}
