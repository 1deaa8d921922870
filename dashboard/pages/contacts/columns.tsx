/** The columns of the contact list that the viewer chose: name, status, dates, and any field of the data. */
import { useQuery } from '@tanstack/react-query'
import { Check, Columns3 } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useStored } from '../../data/stored.ts'
import { Moment } from '../../figures/moment.tsx'
import { SortButton } from '../../lists/sort-button.tsx'
import { nameOf } from '../../pickers/contact-name.ts'
import { Badge, Subscription } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Menu } from '../../ui/menu.tsx'
import { formatValue, summarizeData, withoutName } from './one/contact-data.ts'
import { texts } from './texts.ts'

/** `isSuppressed` is undefined while it is unknown. */
export type ListedContact = Schemas['Contact'] & { isSuppressed: boolean | undefined }

export interface ListColumn {
  key: string
  label: string
  head: ReactNode
  cell(contact: ListedContact): ReactNode
}

const BUILT_IN: ListColumn[] = [
  { key: 'name', label: texts.column.name, head: texts.column.name, cell: ({ data }) => nameOf(data) },
  {
    key: 'status',
    label: texts.column.status,
    head: texts.column.status,
    cell: (contact) => <ContactStatus {...contact} />,
  },
  { key: 'data', label: texts.column.data, head: texts.column.data, cell: ({ data }) => summarizeData(data) },
  {
    key: 'added',
    label: texts.column.added,
    head: <SortButton label={texts.column.added} by="createdAt" initial="-createdAt" descendingFirst />,
    cell: ({ createdAt }) => <Moment at={createdAt} relative />,
  },
  {
    key: 'updated',
    label: texts.column.updated,
    head: texts.column.updated,
    cell: ({ updatedAt }) => <Moment at={updatedAt} relative />,
  },
]

/** A suppressed address receives no marketing email, whether its contact is subscribed or not. */
export function ContactStatus({ subscribed, isSuppressed }: Pick<ListedContact, 'subscribed' | 'isSuppressed'>) {
  if (isSuppressed === undefined && subscribed) return texts.unknownStatus
  return isSuppressed ? <Badge tone="bad">{texts.suppressed}</Badge> : <Subscription subscribed={subscribed} />
}

const INITIAL = ['name', 'status', 'data', 'added']

const fieldColumn = (field: string): ListColumn => {
  const name = field.slice('data.'.length)
  return { key: field, label: name, head: name, cell: ({ data }) => formatValue(data?.[name]) }
}

/** Leaves out data that other columns show. */
function dataColumn(chosen: string[]): Partial<ListColumn> {
  const isRest = ([name]: [string, unknown]) => !chosen.includes(`data.${name}`)
  return {
    cell: ({ data }) => {
      const rest = chosen.includes('name') ? withoutName(data) : (data ?? {})
      return summarizeData(Object.fromEntries(Object.entries(rest).filter(isRest)))
    },
  }
}

/** Custom fields come before the dates. */
const inOrder = (columns: ListColumn[]) => {
  const rank = ({ key }: ListColumn) => (key.startsWith('data.') ? 2.5 : BUILT_IN.findIndex((one) => one.key === key))
  return columns.toSorted((a, b) => rank(a) - rank(b))
}

export function useColumns() {
  const { projectId, api } = useApi()
  const [chosen, setChosen] = useStored(`posthorn.contact-columns.${projectId}`, INITIAL)
  const { data: fields } = useQuery({
    queryKey: [projectId, 'contacts', 'fields'],
    queryFn: async () => (await unwrap(api.contacts.fields.list())).fields,
  })
  // A path into nested data is shown as part of its top-level field.
  const custom = (fields ?? [])
    .filter(({ field, isCustom }) => isCustom && !field.slice('data.'.length).includes('.'))
    .map(({ field }) => field)
  const builtIn = BUILT_IN.map((column) => (column.key === 'data' ? { ...column, ...dataColumn(chosen) } : column))
  const available = [...builtIn, ...custom.map(fieldColumn)]
  return {
    columns: inOrder(available.filter(({ key }) => chosen.includes(key))),
    available,
    toggle: (key: string) => setChosen(chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key]),
  }
}

export const ColumnsMenu = ({ columns, available, toggle }: ReturnType<typeof useColumns>) => {
  const entry = ({ key, label }: ListColumn) => {
    const isShown = columns.some((column) => column.key === key)
    return {
      label: (
        <>
          <Check aria-hidden className={isShown ? '' : 'invisible'} /> {label}
        </>
      ),
      checked: isShown,
      onSelect: () => toggle(key),
      keepOpen: true,
    }
  }
  const isCustom = ({ key }: ListColumn) => key.startsWith('data.')
  return (
    <Menu
      trigger={
        <Button>
          <Columns3 aria-hidden /> {texts.columns}
        </Button>
      }
      groups={[available.filter((one) => !isCustom(one)).map(entry), available.filter(isCustom).map(entry)].filter(
        (group) => group.length > 0,
      )}
    />
  )
}
