/** Newsletters, announcements and invitations. */
import { button, columns, divider, documentOf, heading, list, logo, marketingFooter, text } from './blocks.ts'
import type { GalleryTemplate } from './schemas.ts'

const BAND = { background: '#eef2ff', color: '#1e1b4b', paddingTop: 24, paddingBottom: 8 }
const BAND_END = { background: '#eef2ff', color: '#1e1b4b', paddingTop: 8, paddingBottom: 24 }

export const marketingTemplates: GalleryTemplate[] = [
  {
    slug: 'newsletter',
    name: 'Newsletter',
    description: 'A lead story, two short ones and a list of links.',
    category: 'Newsletters',
    type: 'MARKETING',
    subject: 'What’s new in March',
    preheader: 'A new editor, faster search and what comes next.',
    data: { firstName: 'Ada' },
    document: documentOf(
      logo(),
      heading('What’s new in March', { align: 'center', ...BAND }),
      text('Hello {{firstName|there}}, here’s what we worked on this month.', { align: 'center', ...BAND_END }),
      heading('The lead story', { level: 2, paddingTop: 24 }),
      text('Say in two or three sentences what happened and why it matters to your readers. Link to the whole story.'),
      button('Read the story', 'https://example.com/story', { align: 'left' }),
      divider(),
      columns(
        [
          heading('Faster search', { level: 3 }),
          text('A short paragraph about the second story. [Read more](https://example.com/search)'),
        ],
        [
          heading('Meet the team', { level: 3 }),
          text('A short paragraph about the third story. [Read more](https://example.com/team)'),
        ],
      ),
      divider(),
      heading('Worth reading', { level: 3 }),
      list([
        '[How we plan our releases](https://example.com/releases)',
        '[Five tips for better reports](https://example.com/reports)',
        '[Answers to your questions](https://example.com/questions)',
      ]),
      { type: 'social', links: [{ network: 'website', url: 'https://example.com' }] },
      marketingFooter(),
    ),
  },
  {
    slug: 'product-announcement',
    name: 'Product announcement',
    description: 'Presents a new product or feature with its benefits.',
    category: 'Newsletters',
    type: 'MARKETING',
    subject: 'Introducing the new editor',
    preheader: 'Design emails without writing HTML.',
    data: { firstName: 'Ada', announcementUrl: 'https://example.com/editor' },
    document: documentOf(
      logo(),
      heading('Introducing the new editor', { align: 'center', ...BAND }),
      text('Design emails without writing HTML.', { align: 'center', size: 18, ...BAND_END }),
      text(['Hello {{firstName|there}},', 'Many of you asked for it. Today it’s here, for every plan.'], {
        paddingTop: 24,
      }),
      columns(
        [heading('Quick', { level: 3 }), text('Build an email from blocks in minutes.')],
        [heading('On brand', { level: 3 }), text('Your colors and logo are already there.')],
        [heading('Reliable', { level: 3 }), text('It looks right in every inbox.')],
      ),
      button('Try the editor', '{{ announcementUrl }}'),
      marketingFooter(),
    ),
  },
  {
    slug: 'event-invitation',
    name: 'Event invitation',
    description: 'Invites people to an event, with date, place and program.',
    category: 'Newsletters',
    type: 'MARKETING',
    subject: 'You’re invited: {{ event_info.title }}',
    preheader: '{{ event_info.startsAt | date: "%B %-d" }} in {{ event_info.place }}.',
    data: {
      firstName: 'Ada',
      event_info: {
        title: 'Spring meetup',
        startsAt: '2026-04-22T18:00:00Z',
        place: 'Berlin',
        url: 'https://example.com/meetup',
        program: [
          { time: '18:00', title: 'Doors open' },
          { time: '18:30', title: 'Talk: emails that people read' },
          { time: '20:00', title: 'Drinks' },
        ],
      },
    },
    document: documentOf(
      logo(),
      heading('{{event_info.title}}', { align: 'center', ...BAND }),
      text('{{ event_info.startsAt | date: "%A, %B %-d, %H:%M" }} · {{event_info.place}}', {
        align: 'center',
        ...BAND_END,
      }),
      text(['Hello {{firstName|there}},', 'We’d love to see you there. This is the program:'], { paddingTop: 24 }),
      {
        type: 'loop',
        list: 'event_info.program',
        item: 'entry',
        blocks: [text('**{{ entry.time }}** {{ entry.title }}', { paddingTop: 2, paddingBottom: 2 })],
      },
      button('Save your seat', '{{ event_info.url }}', { paddingTop: 20 }),
      marketingFooter(),
    ),
  },
  {
    slug: 'survey',
    name: 'Survey',
    description: 'Asks one question with a scale, and links to a short survey.',
    category: 'Lifecycle',
    type: 'MARKETING',
    subject: 'How are we doing?',
    preheader: 'One question, ten seconds.',
    data: { firstName: 'Ada', surveyUrl: 'https://example.com/survey' },
    document: documentOf(
      logo(),
      heading('How are we doing?'),
      text([
        'Hello {{firstName|there}},',
        'How likely are you to recommend us to a friend? Choose a number to answer.',
      ]),
      {
        ...columns(
          [button('1', '{{ surveyUrl }}?score=1', { fullWidth: true })],
          [button('2', '{{ surveyUrl }}?score=2', { fullWidth: true })],
          [button('3', '{{ surveyUrl }}?score=3', { fullWidth: true })],
          [button('4', '{{ surveyUrl }}?score=4', { fullWidth: true })],
        ),
        stack: false,
      },
      text('1 is not likely, 4 is very likely.', { size: 14, align: 'center' }),
      text('Have two more minutes? [Take the full survey]({{ surveyUrl }}). We read every answer.'),
      marketingFooter(),
    ),
  },
  {
    slug: 're-engagement',
    name: 'Re-engagement',
    description: 'Asks people who haven’t been active whether they want to stay.',
    category: 'Lifecycle',
    type: 'MARKETING',
    subject: 'Should we keep in touch?',
    preheader: 'Stay, choose what you receive, or unsubscribe.',
    data: { firstName: 'Ada', productUrl: 'https://example.com/new' },
    document: documentOf(
      logo(),
      heading('It’s been a while'),
      text([
        'Hello {{firstName|there}},',
        'You haven’t opened our emails for some time. A lot has changed since then:',
      ]),
      list(['A new editor for your documents.', 'Search that finds everything.', 'An app for your phone.']),
      button('See what’s new', '{{ productUrl }}'),
      text('Would you like to hear from us less often? [Choose what you receive]({{manageUrl}}).'),
      marketingFooter(),
    ),
  },
  {
    slug: 'digest',
    name: 'Digest',
    description: 'Summarizes a week of activity from a list in the data.',
    category: 'Newsletters',
    type: 'MARKETING',
    subject: '{{ updates | size }} updates this week',
    preheader: 'Everything that happened in your projects.',
    data: {
      firstName: 'Ada',
      updates: [
        { title: 'Grace published “Release notes”', text: 'Monday, 10:12', url: 'https://example.com/u/1' },
        { title: 'Alan commented on “Roadmap”', text: 'Wednesday, 15:40', url: 'https://example.com/u/2' },
        { title: 'Edsger completed “Proof”', text: 'Friday, 08:05', url: 'https://example.com/u/3' },
      ],
      projectsUrl: 'https://example.com/projects',
    },
    document: documentOf(
      logo(),
      heading('Your week'),
      text('Hello {{firstName|there}}, here’s what happened in your projects:'),
      {
        type: 'condition',
        if: { variable: 'updates', operator: 'exists' },
        blocks: [{ type: 'items', list: 'updates', title: 'title', text: 'text', url: 'url', limit: 20 }],
        otherwise: [text('It was a quiet week: there were no updates.')],
      },
      button('Open projects', '{{ projectsUrl }}'),
      marketingFooter(),
    ),
  },
]
