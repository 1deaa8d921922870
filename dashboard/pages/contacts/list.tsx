/** The contact list with search, filters and bulk actions. Its state is kept in the address. */
import { useQueryClient } from '@tanstack/react-query'
import { Download, Plus, Upload, Users } from 'lucide-react'
import { useState } from 'react'
import { downloadsIn, type Schemas } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Subscription } from '../../parts/badge.tsx'
import { Button, LinkButton } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { List, ListFilter, ListSearch } from '../../parts/list.tsx'
import { Page } from '../../parts/page.tsx'
import { Cell, MomentCell, NameCell, Row } from '../../parts/table.tsx'
import { sharedTexts } from '../../parts/texts.ts'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { saveFile } from '../../save-file.ts'
import { AddContact } from './add.tsx'
import { BulkBar } from './bulk.tsx'
import { ConditionButton, ConditionPanel } from './condition-panel.tsx'
import { summarizeData } from './contact-data.ts'
import { texts } from './texts.ts'
import { SELECTION_MAX, useContactList } from './use-contact-list.ts'

export function ContactsPage() {
  const { projectId } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { list, loadAllIds, condition, filtered, listKey } = useContactList()
  const [{ add }, change] = useSearchState<'add'>()
  const setAdding = (adding: boolean) => change({ add: adding ? '1' : undefined }, { replace: true })
  const [filtering, setFiltering] = useState(condition !== undefined)
  const { selected, select } = useSelection(listKey)
  const total = list.data?.total ?? 0
  const shown = list.data?.data ?? []
  const isPageSelected = shown.length > 0 && shown.every(({ id }) => selected.has(id))
  const reload = () => {
    select([])
    void queries.invalidateQueries({ queryKey: [projectId] })
  }
  const toggle = (id: string) =>
    select(selected.has(id) ? [...selected].filter((one) => one !== id) : [...selected, id])
  const selectPage = (
    <Checkbox
      label={texts.selectPage}
      hideLabel
      checked={isPageSelected}
      onChange={() => select(isPageSelected ? [] : shown.map(({ id }) => id))}
    />
  )

  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <>
          <LinkButton kind="quiet" to={inProjectPath(projectId, 'contacts/fields')}>
            {texts.manageFields}
          </LinkButton>
          <ExportButton projectId={projectId} />
          <LinkButton to={inProjectPath(projectId, 'contacts/import')}>
            <Upload aria-hidden /> {texts.import}
          </LinkButton>
          <Button kind="primary" onClick={() => setAdding(true)}>
            <Plus aria-hidden /> {texts.add}
          </Button>
        </>
      }
    >
      <AddContact open={add !== undefined} onClose={() => setAdding(false)} />
      <List
        list={list}
        label={texts.title}
        head={[
          selectPage,
          texts.column.email,
          { wide: texts.column.status },
          { wide: texts.column.data },
          { wide: texts.column.added },
        ]}
        row={(contact) => (
          <ContactRow contact={contact} selected={selected.has(contact.id)} onToggle={() => toggle(contact.id)} />
        )}
        tools={
          <>
            <ListSearch label={texts.search} />
            <ListFilter label={texts.subscription} name="subscribed" options={texts.subscriptions} />
            <ConditionButton condition={condition} open={filtering} onOpen={setFiltering} />
          </>
        }
        below={filtering && <ConditionPanel condition={condition} onOpen={setFiltering} />}
        total={total > 0 ? sharedTexts.contacts(total) : undefined}
        empty={
          <Empty
            icon={Users}
            title={filtered ? texts.noMatchTitle : texts.emptyTitle}
            actions={!filtered && <Button onClick={() => setAdding(true)}>{texts.add}</Button>}
          >
            {filtered ? texts.noMatch : texts.empty}
          </Empty>
        }
      />
      <BulkBar
        ids={[...selected]}
        total={isPageSelected && total > selected.size && total <= SELECTION_MAX ? total : undefined}
        onSelectAll={() => void loadAllIds().then(select, toast.failed)}
        onDone={reload}
        onClear={() => select([])}
      />
    </Page>
  )
}

/** The selection is empty again when the list changes. */
function useSelection(listKey: string) {
  const [selection, setSelection] = useState({ listKey, ids: [] as string[] })
  return {
    selected: new Set(selection.listKey === listKey ? selection.ids : []) as ReadonlySet<string>,
    select: (ids: string[]) => setSelection({ listKey, ids }),
  }
}

interface ContactRowProps {
  contact: Schemas['Contact']
  selected: boolean
  onToggle(): void
}

function ContactRow({ contact, selected, onToggle }: ContactRowProps) {
  const { projectId } = useApi()
  const subscription = <Subscription subscribed={contact.subscribed} />
  return (
    <Row>
      <Cell className="w-10">
        <Checkbox label={texts.select(contact.email)} hideLabel checked={selected} onChange={onToggle} />
      </Cell>
      <NameCell to={inProjectPath(projectId, `contacts/${contact.id}`)} onPhone={subscription}>
        {contact.email}
      </NameCell>
      <Cell wide>{subscription}</Cell>
      <Cell wide className="max-w-72 truncate text-soft">
        {summarizeData(contact.data)}
      </Cell>
      <MomentCell wide at={contact.createdAt} />
    </Row>
  )
}

function ExportButton({ projectId }: { projectId: string }) {
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const exportContacts = async () => {
    setBusy(true)
    const { data, error } = await downloadsIn(projectId).request('GET /contacts/export', { as: 'blob' })
    setBusy(false)
    if (error) toast.failed(error)
    else saveFile('contacts.csv', data as unknown as Blob)
  }
  return (
    <Button busy={busy} onClick={() => void exportContacts()}>
      <Download aria-hidden /> {texts.export}
    </Button>
  )
}
