/** The custom fields of contacts with their types, values and how many contacts have them, and their deletion. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Database, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useContactFields, useContactTotal } from '../../data/use-contact-facts.ts'
import { formatNumber, formatPercent } from '../../figures/format.ts'
import { Empty } from '../../lists/empty-state.tsx'
import { List } from '../../lists/list.tsx'
import { ACTIONS, Cell, NameCell, Row } from '../../lists/table.tsx'
import { Page } from '../../shell/page.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

const { column } = texts.fields

export function FieldsPage() {
  const { projectId } = useApi()
  const [deleting, setDeleting] = useState<string>()
  const list = useContactFields()
  const { data: contacts } = useContactTotal()
  const custom = list.data
    ?.filter(({ isCustom }) => isCustom)
    .map((field) => ({ id: field.field, ...field }))
    .toSorted((a, b) => b.coverage - a.coverage)
  return (
    <Page
      title={texts.fields.title}
      lead={texts.fields.lead}
      back={{ to: projectPage(projectId, 'contacts'), label: texts.title }}
    >
      <List
        list={{ ...list, data: custom && { data: custom } }}
        label={texts.fields.title}
        head={[column.field, { wide: column.type }, { number: column.contacts }, { wide: column.values }, ACTIONS]}
        row={({ field, type, coverage }) => (
          <Row>
            <NameCell
              to={projectPage(projectId, 'contacts', { where: whereSet(field) })}
              onPhone={
                <span className="line-clamp-2">
                  {texts.fields.types[type] ?? type} · <Values field={field} />
                </span>
              }
            >
              {field.slice('data.'.length)}
            </NameCell>
            <Cell wide>
              <Badge>{texts.fields.types[type] ?? type}</Badge>
            </Cell>
            <Cell className="max-sm:align-top sm:w-56">
              <Coverage coverage={coverage} contacts={contacts} />
            </Cell>
            <Cell wide className="min-w-64 max-w-80 truncate text-soft">
              <Values field={field} />
            </Cell>
            <Cell>
              <IconButton label={texts.fields.deleteLabel(field)} onClick={() => setDeleting(field)}>
                <Trash2 />
              </IconButton>
            </Cell>
          </Row>
        )}
        empty={
          <Empty icon={Database} title={texts.fields.emptyTitle}>
            {texts.fields.empty}
          </Empty>
        }
      />
      {deleting && <DeleteField field={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  )
}

/** The condition of the contacts that have the field. */
const whereSet = (field: string) =>
  JSON.stringify({ logic: 'AND', groups: [{ filters: [{ field, operator: 'exists' }] }] })

interface CoverageProps {
  /** The share of contacts that have the field. */
  coverage: number
  /** The number of all contacts. */
  contacts: number | undefined
}

const Coverage = ({ coverage, contacts }: CoverageProps) => (
  <span className="flex items-center justify-end gap-3">
    <span aria-hidden className="h-1.5 w-20 rounded-full bg-panel max-sm:hidden">
      <span className="block h-full rounded-full bg-accent" style={{ width: `${coverage * 100}%` }} />
    </span>
    <span className="flex justify-end gap-x-2 tabular-nums max-sm:flex-col max-sm:text-end">
      {contacts !== undefined && (
        <span className="text-end sm:min-w-10">{formatNumber(Math.round(coverage * contacts))}</span>
      )}
      <span className="text-end text-soft sm:w-12">{formatPercent(coverage)}</span>
    </span>
  </span>
)

let previous: Promise<unknown> = Promise.resolve()

/** One request at a time: each reads all contacts, and the service refuses more than a few of them at once. */
function inTurn<T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> {
  const turn = previous.then(() => {
    signal.throwIfAborted()
    return request()
  })
  previous = turn.catch(() => undefined)
  return turn
}

/** The most frequent values. */
function Values({ field }: { field: string }) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'contacts', 'fields', field, 'some-values'],
    queryFn: ({ signal }) =>
      inTurn(signal, async () => (await unwrap(api.contacts.fields.values(field, { limit: 5 }))).values),
    retry: 3,
  })
  if (data?.length === 0) return sharedTexts.missing
  return data?.map(String).join(', ')
}

function DeleteField({ field, onClose }: { field: string; onClose(): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { data: usage } = useQuery({
    queryKey: [projectId, 'contacts', 'fields', field, 'usage'],
    queryFn: () => unwrap(api.contacts.fields.usage(field)),
  })
  const usedBy = usage ? [...usage.usedInSegments, ...usage.usedInCampaigns, ...usage.usedInWorkflows] : []
  const deleteField = async () => {
    const { deletedFrom } = await unwrap(api.contacts.fields.delete(field))
    toast.done(texts.fields.deleted(deletedFrom))
    void queries.invalidateQueries({ queryKey: [projectId, 'contacts'] })
  }
  const name = field.slice('data.'.length)
  return (
    <Confirm
      open
      onClose={onClose}
      title={texts.fields.deleteTitle(name)}
      typeToConfirm={name}
      action={texts.fields.deleteAction}
      onConfirm={deleteField}
    >
      {usage && <p>{texts.fields.deleteEffect(usage.contactCount)}</p>}
      {usedBy.length > 0 && <p>{texts.fields.usedBy(usedBy.map((one) => one.name))}</p>}
    </Confirm>
  )
}
