/** One entry of the activity feed. The whole entry links to what it is about. */
import { Filter, GitBranch, type LucideIcon, Mail, Megaphone, UserRound, UsersRound, Zap } from 'lucide-react'
import { type Address, projectPage } from '../../addresses.ts'
import { activityLabel } from '../../conditions/event-labels.ts'
import type { Activity } from '../../data/live.ts'
import { useProjectId } from '../../data/project.ts'
import { Moment } from '../../figures/moment.tsx'
import { Link } from '../../links.tsx'
import { ROW_LINK } from '../../lists/row-link.ts'
import { sharedTexts } from '../../shell/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { summarizeData } from '../contacts/one/contact-data.ts'
import { EmailStates } from './email-states.tsx'
import { texts } from './texts.ts'

const ICONS: [string, LucideIcon][] = [
  ['email.', Mail],
  ['contact.', UserRound],
  ['segment.', UsersRound],
  ['campaign.', Megaphone],
  ['workflow.', GitBranch],
]

const FAILED = /\.(bounce|complaint|failed)$/

interface EntryProps {
  item: Activity
  /** Filters the feed by a contact. */
  onFilterContact?: ((contactId: string) => void) | undefined
}

export function Entry({ item, onFilterContact }: EntryProps) {
  const projectId = useProjectId()
  const { type, contact, email } = item
  const address = addressOf(projectId, item)
  const title = email ? subjectOf(item) || sharedTexts.noSubject : activityLabel(type, item.metadata)
  const details = [contact?.email, email ? textOf(item.metadata.error) : detailsOf(item)].filter(Boolean).join(' · ')
  const failed = FAILED.test(type)
  return (
    <li className="group relative flex items-start gap-3 px-5 py-3 text-sm transition-colors hover:bg-panel/60">
      <EntryIcon type={type} />
      <div className="min-w-0 flex-1">
        <div className="flex items-start justify-between gap-3">
          {address ? (
            <Link
              to={address}
              className={`line-clamp-2 min-w-0 font-medium wrap-anywhere ${ROW_LINK} ${failed && !email ? 'text-bad' : ''}`}
              data-row-link
            >
              {title}
            </Link>
          ) : (
            <span className="min-w-0 truncate font-medium">{title}</span>
          )}
          <span className="shrink-0 text-soft first-letter:uppercase">
            <Moment at={item.timestamp} relative />
          </span>
        </div>
        <div className="flex items-center gap-x-3 text-soft">
          <span className="line-clamp-3 min-w-0 wrap-anywhere">{details}</span>
          {contact && onFilterContact && (
            <IconButton
              label={texts.onlyContact(contact.email)}
              className="-my-1.5 opacity-0 group-hover:opacity-100 focus-visible:opacity-100 max-sm:hidden"
              onClick={() => onFilterContact(contact.id)}
            >
              <Filter />
            </IconButton>
          )}
        </div>
        {email && <EmailStates email={email} latest={type} />}
      </div>
    </li>
  )
}

export function EntryIcon({ type }: { type: string }) {
  const Icon = ICONS.find(([prefix]) => type.startsWith(prefix))?.[1] ?? Zap
  return (
    <span
      aria-hidden
      className={`mt-0.5 flex size-7 shrink-0 items-center justify-center rounded-full ${FAILED.test(type) ? 'bg-bad-wash text-bad' : 'bg-panel text-soft'}`}
    >
      <Icon className="size-3.5" />
    </span>
  )
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const subjectOf = ({ metadata }: Activity): string => textOf(metadata.subject)

/** The name of the campaign or workflow; otherwise the data of the event. */
function detailsOf({ type, metadata }: Activity): string {
  if (type.startsWith('segment.')) return ''
  const name = textOf(metadata.name)
  const error = textOf(metadata.error)
  if (error) return name && error ? sharedTexts.labeled(name, error) : name || error
  return name || (type.startsWith('contact.') ? textOf(metadata.reason) : summarizeData(metadata))
}

/** The page about it: the email, campaign, execution, segment or contact. */
function addressOf(projectId: string, { type, email, contact, metadata }: Activity): Address | undefined {
  const [campaignId, id, executionId, segmentId] = ['campaignId', 'workflowId', 'executionId', 'segmentId'].map(
    (name) => textOf(metadata[name]),
  )
  if (email) return projectPage(projectId, 'emails/$id', { id: email.id })
  if (type.startsWith('campaign.') && campaignId) return projectPage(projectId, 'campaigns/$id', { id: campaignId })
  if (type.startsWith('workflow.') && id && executionId)
    return projectPage(projectId, 'workflows/$id/executions/$executionId', { id, executionId })
  if (type.startsWith('segment.') && segmentId) return projectPage(projectId, 'segments/$id', { id: segmentId })
  return contact ? projectPage(projectId, 'contacts/$id', { id: contact.id }) : undefined
}
