/** Tables and their common cells. Columns marked `wide` are hidden on a phone; wider tables scroll sideways. */
import type { ReactNode } from 'react'
import { type Address, projectPage } from '../addresses.ts'
import { useProjectId } from '../data/project.ts'
import { Moment } from '../figures/moment.tsx'
import { Link } from '../links.tsx'
import { sharedTexts } from '../shell/texts.ts'
import { ROW_LINK } from './row-link.ts'

const WIDE = 'max-sm:hidden'
/** On phones, this applies to the first and last visible columns. */
const EDGES =
  'first:ps-5 last:pe-5 max-sm:[&:nth-child(1_of_:not([data-wide]))]:ps-5 max-sm:[&:nth-last-child(1_of_:not([data-wide]))]:pe-5'

/** A column header, one that only wide screens show, or one of a column of numbers. */
export type Head = ReactNode | { wide: ReactNode } | { number: ReactNode; onlyWide?: boolean }

interface Column {
  label: ReactNode
  wide: boolean
  number: boolean
}

function columnOf(head: Head): Column {
  if (typeof head === 'object' && head !== null && 'wide' in head)
    return { label: head.wide, wide: true, number: false }
  if (typeof head === 'object' && head !== null && 'number' in head)
    return { label: head.number, wide: head.onlyWide ?? false, number: true }
  return { label: head as ReactNode, wide: false, number: false }
}

/** The header of the column with buttons. */
export const ACTIONS = (
  <span key="actions" className="sr-only">
    {sharedTexts.actions}
  </span>
)

export function Table({ label, head, children }: { label: string; head: Head[]; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
    <section className="relative overflow-x-auto" aria-label={label} tabIndex={0}>
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b border-line text-[0.8125rem] text-soft">
            {head.map(columnOf).map(({ label, wide, number }, i) => (
              <th
                // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move.
                key={i}
                scope="col"
                data-wide={wide || undefined}
                className={`px-3 py-2.5 font-medium whitespace-nowrap ${EDGES} ${wide ? WIDE : ''} ${number ? 'text-end' : ''}`}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </section>
  )
}

interface RowProps {
  children: ReactNode
  muted?: boolean
  selected?: boolean
}

export function Row({ children, muted, selected }: RowProps) {
  const color = selected ? 'bg-accent-wash/50' : 'hover:bg-panel/60'
  return <tr className={`relative transition-colors ${color} ${muted ? 'text-soft' : ''}`}>{children}</tr>
}

interface CellProps {
  children?: ReactNode
  className?: string
  /** The same as in the head of the table. */
  wide?: boolean
}

export function Cell({ children, className = '', wide }: CellProps) {
  return (
    <td data-wide={wide || undefined} className={`px-3 py-3 align-middle ${EDGES} ${wide ? WIDE : ''} ${className}`}>
      {children}
    </td>
  )
}

/** A number or rate, aligned with those above and below it. */
export const NumberCell = ({ children, wide }: { children?: ReactNode; wide?: boolean }) => (
  <Cell className="text-end whitespace-nowrap tabular-nums" wide={wide}>
    {children}
  </Cell>
)

interface NameProps {
  to: Address
  children: ReactNode
  /** A second line. */
  more?: ReactNode
  error?: string | null
  onPhone?: ReactNode
  /** Chips and buttons beside the name. */
  tags?: ReactNode
}

/** The content of a column that is hidden on a phone, below the name. */
export const OnPhone = ({ children }: { children: ReactNode }) => (
  <div className="mt-1 text-soft sm:hidden">{children}</div>
)

/**
 * Takes the remaining width: `max-w-0` keeps a long second line from widening the column. Long names wrap. The link covers
 * the whole row.
 */
export const NameCell = ({ to, children, more, error, onPhone, tags }: NameProps) => (
  <Cell className="w-full max-w-0 min-w-40">
    <Link to={to} data-row-link className={`font-medium wrap-anywhere ${ROW_LINK}`}>
      {children}
    </Link>{' '}
    {tags}
    {more && <p className="truncate text-soft">{more}</p>}
    {error && <p className="text-[0.8125rem] text-bad">{error}</p>}
    {onPhone && <OnPhone>{onPhone}</OnPhone>}
  </Cell>
)

/** The event and the contact; on a phone both are in one column. */
export const EventAndContact = ({ event, contact }: { event: ReactNode; contact: ContactName | null }) => (
  <>
    <Cell className="max-sm:w-full max-sm:max-w-0">
      <div className="flex max-sm:*:whitespace-normal">{event}</div>
      {contact && (
        <OnPhone>
          <ContactLink contact={contact} />
        </OnPhone>
      )}
    </Cell>
    <Cell wide className="min-w-56 max-w-80">
      <ContactLink contact={contact} />
    </Cell>
  </>
)

interface ContactName {
  id: string
  email: string
}

function ContactLink({ contact }: { contact: ContactName | null }) {
  const projectId = useProjectId()
  if (!contact) return null
  return (
    <Link
      to={projectPage(projectId, 'contacts/$id', { id: contact.id })}
      className="block truncate font-medium hover:underline"
      title={contact.email}
    >
      {contact.email}
    </Link>
  )
}

export const MomentCell = ({ at, wide }: { at: string | null; wide?: boolean }) => (
  <Cell className="whitespace-nowrap text-soft first-letter:uppercase" wide={wide}>
    <Moment at={at} relative />
  </Cell>
)
