/** Contacts: found, filtered, changed many at a time. The state of the list is in the address. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, Plus, Upload, Users } from 'lucide-react'
import { useState } from 'react'
import { downloadsIn, type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Checkbox, Select } from '../../parts/field.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { Cell, Pager, Row, Table } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { saveFile } from '../../save-file.ts'
import { AddContact } from './add.tsx'
import { BulkBar } from './bulk.tsx'
import { dataInWords } from './data-words.ts'

export function ContactsPage() {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const [{ search = '', subscribed = '', cursor }, change] = useSearchState<'search' | 'subscribed' | 'cursor'>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [adding, setAdding] = useState(false)
  const query = {
    limit: 50,
    cursor,
    search: search || undefined,
    subscribed: (subscribed || undefined) as never,
  }
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'contacts', query],
    queryFn: () => unwrap(api.contacts.list(query)),
    placeholderData: keepPreviousData,
  })
  const filtered = search !== '' || subscribed !== ''
  const change_ = (changes: { search?: string; subscribed?: string; cursor?: string }, replace = false) => {
    setChosen(new Set())
    change({ cursor: undefined, ...changes }, { replace })
  }
  const reload = () => {
    setChosen(new Set())
    void queries.invalidateQueries({ queryKey: [projectId] })
  }

  return (
    <Page
      title="Contacts"
      lead="Everyone you write to, with what you know about them."
      actions={
        <>
          <ExportButton projectId={projectId} />
          <LinkButton to={inProjectPath(projectId, 'contacts/import')}>
            <Upload aria-hidden /> Import
          </LinkButton>
          <Button kind="primary" onClick={() => setAdding(true)}>
            <Plus aria-hidden /> Add contact
          </Button>
        </>
      }
    >
      <AddContact open={adding} onClose={() => setAdding(false)} />
      <Card flush>
        <div className="flex flex-wrap items-center gap-2 px-5 pt-2 pb-3">
          <SearchBox label="Search by email" value={search} onSearch={(text) => change_({ search: text }, true)} />
          <div className="w-44">
            <Select
              label="Subscription"
              hideLabel
              value={subscribed}
              options={{ '': 'All contacts', true: 'Subscribed', false: 'Not subscribed' }}
              onChange={(event) => change_({ subscribed: event.target.value })}
            />
          </div>
        </div>
        {error && (
          <div className="p-5">
            <Problem error={error} retry={() => void refetch()} />
          </div>
        )}
        {!data && !error && <Loading />}
        {data && <Contacts contacts={data.data} chosen={chosen} onChoose={setChosen} />}
        {data?.data.length === 0 && (
          <Empty
            icon={Users}
            title={filtered ? 'Nobody matches' : 'Nobody here yet'}
            actions={!filtered && <Button onClick={() => setAdding(true)}>Add the first contact</Button>}
          >
            {filtered
              ? 'Try fewer letters or another filter.'
              : 'A contact is made whenever you send an email or track an event. You can also add one here, or import a CSV file.'}
          </Empty>
        )}
        <Pager
          cursor={cursor}
          next={data?.cursor ?? null}
          onGo={(to) => change_({ cursor: to })}
          words={
            data && !cursor && data.total > 0
              ? data.total === 1
                ? '1 contact'
                : `${data.total.toLocaleString()} contacts`
              : undefined
          }
        />
      </Card>
      <BulkBar ids={[...chosen]} onDone={reload} onClear={() => setChosen(new Set())} />
    </Page>
  )
}

interface ContactsProps {
  contacts: Schemas['Contact'][]
  chosen: ReadonlySet<string>
  onChoose(ids: ReadonlySet<string>): void
}

function Contacts({ contacts, chosen, onChoose }: ContactsProps) {
  const { projectId } = useApi()
  if (contacts.length === 0) return null
  const all = contacts.every(({ id }) => chosen.has(id))
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose(next)
  }
  const head = [
    <Checkbox
      key="all"
      label="Choose all on this page"
      hideLabel
      checked={all}
      onChange={() => onChoose(all ? new Set() : new Set(contacts.map(({ id }) => id)))}
    />,
    'Email',
    'Status',
    'Data',
    'Added',
  ]
  return (
    <Table label="Contacts" head={head}>
      {contacts.map((contact) => (
        <Row key={contact.id}>
          <Cell className="w-10">
            <Checkbox
              label={`Choose ${contact.email}`}
              hideLabel
              checked={chosen.has(contact.id)}
              onChange={() => toggle(contact.id)}
            />
          </Cell>
          <Cell>
            <Link to={inProjectPath(projectId, `contacts/${contact.id}`)} className="font-medium hover:underline">
              {contact.email}
            </Link>
          </Cell>
          <Cell>{contact.subscribed ? <Badge tone="good">Subscribed</Badge> : <Badge>Not subscribed</Badge>}</Cell>
          <Cell className="max-w-72 truncate text-soft">{dataInWords(contact.data)}</Cell>
          <Cell className="text-soft">
            <Moment at={contact.createdAt} relative />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

function ExportButton({ projectId }: { projectId: string }) {
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const exports = async () => {
    setBusy(true)
    const { data, error } = await downloadsIn(projectId).request('GET /contacts/export', { as: 'blob' })
    setBusy(false)
    if (error) toast.failed(error)
    else saveFile('contacts.csv', data as unknown as Blob)
  }
  return (
    <Button busy={busy} onClick={() => void exports()}>
      <Download aria-hidden /> Export
    </Button>
  )
}
