/** Contacts: found, filtered, changed many at a time. The state of the list is in the address. */
import { useQueryClient } from '@tanstack/react-query'
import { Download, Plus, Upload, Users } from 'lucide-react'
import { useState } from 'react'
import { downloadsIn, type Schemas } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Subscription } from '../../parts/badge.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { countWords } from '../../parts/count-words.ts'
import { Empty } from '../../parts/empty-state.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { List, ListFilter, ListSearch } from '../../parts/list.tsx'
import { Page } from '../../parts/page.tsx'
import { Cell, MomentCell, NameCell, Row } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'
import { saveFile } from '../../save-file.ts'
import { AddContact } from './add.tsx'
import { BulkBar } from './bulk.tsx'
import { dataInWords } from './data-words.ts'
import { CHOSEN_MAX, useFound } from './found.ts'
import { WhereButton, WherePanel } from './where.tsx'

const SUBSCRIPTIONS = { '': 'All contacts', true: 'Subscribed', false: 'Not subscribed' }

export function ContactsPage() {
  const { projectId } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { list, everyId, where, filtered, place } = useFound()
  const [adding, setAdding] = useState(false)
  const [filtering, setFiltering] = useState(where !== undefined)
  const { chosen, choose } = useChosen(place)
  const total = list.data?.total ?? 0
  const shown = list.data?.data ?? []
  const isPageChosen = shown.length > 0 && shown.every(({ id }) => chosen.has(id))
  const reload = () => {
    choose([])
    void queries.invalidateQueries({ queryKey: [projectId] })
  }
  const toggle = (id: string) => choose(chosen.has(id) ? [...chosen].filter((one) => one !== id) : [...chosen, id])
  const allOnPage = (
    <Checkbox
      label="Choose all on this page"
      hideLabel
      checked={isPageChosen}
      onChange={() => choose(isPageChosen ? [] : shown.map(({ id }) => id))}
    />
  )

  return (
    <Page
      title="Contacts"
      lead="Everyone you write to, with what you know about them."
      actions={
        <>
          <LinkButton kind="quiet" to={inProjectPath(projectId, 'contacts/fields')}>
            Fields
          </LinkButton>
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
      <List
        list={list}
        label="Contacts"
        head={[allOnPage, 'Email', { wide: 'Status' }, { wide: 'Data' }, { wide: 'Added' }]}
        row={(contact) => (
          <ContactRow contact={contact} chosen={chosen.has(contact.id)} onToggle={() => toggle(contact.id)} />
        )}
        tools={
          <>
            <ListSearch label="Search by email" />
            <ListFilter label="Subscription" name="subscribed" options={SUBSCRIPTIONS} />
            <WhereButton where={where} open={filtering} onOpen={setFiltering} />
          </>
        }
        below={filtering && <WherePanel where={where} onOpen={setFiltering} />}
        words={total > 0 && countWords(total, 'contact')}
        empty={
          <Empty
            icon={Users}
            title={filtered ? 'Nobody matches' : 'Nobody here yet'}
            actions={!filtered && <Button onClick={() => setAdding(true)}>Add the first contact</Button>}
          >
            {filtered
              ? 'Try fewer letters or another filter.'
              : 'A contact is made whenever you send an email or track an event. You can also add one here, or import a CSV file.'}
          </Empty>
        }
      />
      <BulkBar
        ids={[...chosen]}
        all={isPageChosen && total > chosen.size && total <= CHOSEN_MAX ? total : undefined}
        onAll={() => void everyId().then(choose, toast.failed)}
        onDone={reload}
        onClear={() => choose([])}
      />
    </Page>
  )
}

/** Of another list, nothing is chosen yet. */
function useChosen(place: string) {
  const [kept, setKept] = useState({ place, ids: [] as string[] })
  return {
    chosen: new Set(kept.place === place ? kept.ids : []) as ReadonlySet<string>,
    choose: (ids: string[]) => setKept({ place, ids }),
  }
}

interface ContactRowProps {
  contact: Schemas['Contact']
  chosen: boolean
  onToggle(): void
}

function ContactRow({ contact, chosen, onToggle }: ContactRowProps) {
  const { projectId } = useApi()
  const subscription = <Subscription subscribed={contact.subscribed} />
  return (
    <Row>
      <Cell className="w-10">
        <Checkbox label={`Choose ${contact.email}`} hideLabel checked={chosen} onChange={onToggle} />
      </Cell>
      <NameCell to={inProjectPath(projectId, `contacts/${contact.id}`)} onPhone={subscription}>
        {contact.email}
      </NameCell>
      <Cell wide>{subscription}</Cell>
      <Cell wide className="max-w-72 truncate text-soft">
        {dataInWords(contact.data)}
      </Cell>
      <MomentCell wide at={contact.createdAt} />
    </Row>
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
