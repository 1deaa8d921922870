/** The contact list with search, filters and bulk actions. Its state is kept in the address. */
import { useQueryClient } from '@tanstack/react-query'
import { Database, Download, MailCheck, Plus, Upload, Users } from 'lucide-react'
import { useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { downloadsIn } from '../../data/api.ts'
import { useAdding, useApi, useSearchState } from '../../data/project.ts'
import { useContactTotal } from '../../data/use-contact-facts.ts'
import { useNavigate } from '../../links.tsx'
import { ListEmpty } from '../../lists/empty-state.tsx'
import { List, ListFilter, ListSearch } from '../../lists/list.tsx'
import { saveFile } from '../../lists/save-file.ts'
import { useSelection } from '../../lists/selection.tsx'
import { SortButton } from '../../lists/sort-button.tsx'
import { Cell, NameCell, Row } from '../../lists/table.tsx'
import { nameOf } from '../../pickers/contact-name.ts'
import { Page, WideActions } from '../../shell/page.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { PhoneActions } from '../../ui/more-actions.tsx'
import { useToast } from '../../ui/toast.tsx'
import { AddContact } from './add.tsx'
import { BulkBar } from './bulk.tsx'
import { ColumnsMenu, ContactStatus, type ListColumn, type ListedContact, useColumns } from './columns.tsx'
import { ConditionButton, ConditionPanel } from './condition-panel.tsx'
import { useSuppressed } from './one/suppression.tsx'
import { pendingTexts } from './pending-texts.ts'
import { texts } from './texts.ts'
import { useContactList } from './use-contact-list.ts'
import { SaveView, useViews, ViewTabs } from './views.tsx'

export function ContactsPage() {
  const { projectId } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { isExporting, exportContacts } = useExport()
  const fields = projectPage(projectId, 'contacts/fields')
  const pending = projectPage(projectId, 'contacts/pending')
  const { list, everyone, condition, filtered, listKey } = useContactList()
  const columns = useColumns()
  const views = useViews()
  const suppressed = useSuppressed(list.data?.data.map(({ email }) => email) ?? [])
  const [{ search = '' }] = useSearchState<'search'>()
  const [adding, setAdding] = useAdding()
  const [filtering, setFiltering] = useState(condition !== undefined)
  const { selected, select, all, selectAll } = useSelection<typeof everyone>(listKey)
  const isAll = all !== undefined
  const total = list.data?.total ?? 0
  // While another list is loading, the previous one is still shown. Nothing can be selected in it.
  const isPrevious = list.isPlaceholderData
  const shown = isPrevious ? [] : (list.data?.data ?? [])
  const isPageSelected = isAll || (shown.length > 0 && shown.every(({ id }) => selected.has(id)))
  const reload = () => {
    select([])
    void queries.invalidateQueries({ queryKey: [projectId] })
  }
  const toggle = (id: string) => {
    const before = isAll ? new Set(shown.map((contact) => contact.id)) : selected
    select(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id])
  }
  const selectPage = (
    <Checkbox
      label={texts.selectPage}
      hideLabel
      checked={isPageSelected}
      disabled={isPrevious}
      onChange={() => select(isPageSelected ? [] : shown.map(({ id }) => id))}
    />
  )

  const importButton = (
    <LinkButton to={projectPage(projectId, 'contacts/import')}>
      <Upload aria-hidden /> {texts.import}
    </LinkButton>
  )
  const addButton = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden /> {texts.add}
    </Button>
  )
  const isEmpty = !filtered && list.data?.data.length === 0 && !isPrevious
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      actions={
        <>
          {!isEmpty && (
            <>
              <WideActions many>
                <LinkButton kind="quiet" to={pending}>
                  {pendingTexts.link}
                </LinkButton>
                <LinkButton kind="quiet" to={fields}>
                  {texts.manageFields}
                </LinkButton>
                <Button busy={isExporting} onClick={() => void exportContacts()}>
                  <Download aria-hidden /> {texts.export}
                </Button>
              </WideActions>
              {importButton}
            </>
          )}
          {addButton}
          {!isEmpty && (
            <PhoneActions
              tablet
              actions={[
                { icon: MailCheck, label: pendingTexts.link, onSelect: () => void navigate(pending) },
                { icon: Database, label: texts.manageFields, onSelect: () => void navigate(fields) },
                { icon: Download, label: texts.export, onSelect: () => void exportContacts() },
              ]}
            />
          )}
        </>
      }
    >
      <ViewTabs {...views} />
      <AddContact open={adding} onClose={() => setAdding(false)} />
      <List
        list={list}
        label={texts.title}
        head={[
          selectPage,
          <SortButton key="email" label={texts.column.email} by="email" initial="-createdAt" />,
          ...columns.columns.map(({ head }) => ({ wide: head })),
        ]}
        row={(contact) => (
          <ContactRow
            contact={{ ...contact, isSuppressed: suppressed?.has(contact.email) }}
            columns={columns.columns}
            selected={isAll || selected.has(contact.id)}
            disabled={isPrevious}
            onToggle={() => toggle(contact.id)}
          />
        )}
        filtered={filtered}
        tools={
          <>
            <ListSearch label={texts.search} />
            <ListFilter label={texts.subscription} name="subscribed" options={texts.subscriptions} />
            <ConditionButton condition={condition} open={filtering} onOpen={setFiltering} />
            <span className="ms-auto max-sm:hidden">
              <ColumnsMenu {...columns} />
            </span>
          </>
        }
        below={
          <>
            {filtering && <ConditionPanel condition={condition} onOpen={setFiltering} />}
            {Object.keys(views.state).length > 0 && (
              <div
                className={`flex min-h-9 items-center justify-between gap-3 px-5 text-sm ${filtering ? 'pt-2' : ''}`}
              >
                {filtered && !isPrevious && total > 0 ? <Matches count={total} /> : <span />}
                <SaveView {...views} />
              </div>
            )}
          </>
        }
        total={total > 0 ? sharedTexts.contacts(total) : undefined}
        empty={
          <ListEmpty
            icon={Users}
            filtered={filtered}
            texts={search ? { ...texts, noMatch: texts.noMatchFor(search) } : texts}
            actions={
              <>
                {addButton} {importButton}
              </>
            }
          />
        }
      />
      <BulkBar
        selection={all ? { condition: all.condition } : [...selected]}
        count={all ? all.count : selected.size}
        total={isPageSelected && !isAll && total > selected.size ? total : undefined}
        onSelectAll={() => selectAll({ condition: everyone, count: total })}
        onDone={reload}
        onClear={() => select([])}
      />
    </Page>
  )
}

/** How many contacts match, of how many in the project. */
function Matches({ count }: { count: number }) {
  const { data: all } = useContactTotal()
  return <span className="figures font-medium">{texts.matches(count, all)}</span>
}

interface ContactRowProps {
  contact: ListedContact
  columns: ListColumn[]
  selected: boolean
  disabled: boolean
  onToggle(): void
}

function ContactRow({ contact, columns, selected, disabled, onToggle }: ContactRowProps) {
  const { projectId } = useApi()
  return (
    <Row selected={selected}>
      <Cell className="w-10">
        <Checkbox
          label={texts.select(contact.email)}
          hideLabel
          checked={selected}
          disabled={disabled}
          onChange={onToggle}
        />
      </Cell>
      <NameCell
        to={projectPage(projectId, 'contacts/$id', { id: contact.id })}
        onPhone={
          <span className="flex flex-wrap gap-x-2">
            {nameOf(contact.data)} <ContactStatus {...contact} />
          </span>
        }
      >
        <span title={contact.email} className="sm:inline-block sm:max-w-full sm:truncate sm:align-bottom">
          {contact.email}
        </span>
      </NameCell>
      {columns.map(({ key, cell }) => (
        <Cell
          key={key}
          wide
          className={`max-w-56 truncate ${key === 'data' ? 'max-lg:max-w-20' : ''} ${key === 'name' ? '' : 'text-soft'}`}
        >
          {cell(contact)}
        </Cell>
      ))}
    </Row>
  )
}

function useExport() {
  const { projectId } = useApi()
  const toast = useToast()
  const [isExporting, setBusy] = useState(false)
  const exportContacts = async () => {
    setBusy(true)
    const { data, error } = await downloadsIn(projectId).request('GET /contacts/export', { as: 'blob' })
    setBusy(false)
    if (error) toast.failed(error)
    else saveFile('contacts.csv', data as unknown as Blob)
  }
  return { isExporting, exportContacts }
}
