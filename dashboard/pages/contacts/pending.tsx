/** Contacts who have been asked to confirm their subscription, and how many confirm. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { projectPage } from '../../addresses.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Figure, Figures } from '../../figures/figures.tsx'
import { formatNumber, formatPercent } from '../../figures/format.ts'
import { Moment } from '../../figures/moment.tsx'
import { ListEmpty } from '../../lists/empty-state.tsx'
import { List, ListSearch } from '../../lists/list.tsx'
import { Problem } from '../../lists/problem.tsx'
import { ACTIONS, Cell, MomentCell, NameCell, Row } from '../../lists/table.tsx'
import { Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { pendingTexts as T } from './pending-texts.ts'
import { texts } from './texts.ts'

export function PendingContactsPage() {
  const { projectId, api } = useApi()
  const [{ search = '', cursor }] = useSearchState<'search' | 'cursor'>()
  const query = { limit: 50, cursor, search: search || undefined, confirmation: 'pending' as const }
  const list = useQuery({
    queryKey: [projectId, 'contacts', query],
    queryFn: () => unwrap(api.contacts.list(query)),
    placeholderData: keepPreviousData,
  })
  const { data: figures } = useQuery({
    queryKey: [projectId, 'contacts', 'confirmations'],
    queryFn: () => unwrap(api.analytics.confirmations()),
  })
  const count = (value: number | undefined) => (value === undefined ? undefined : formatNumber(value))
  return (
    <Page title={T.title} lead={T.lead} back={{ to: projectPage(projectId, 'contacts'), label: texts.title }}>
      <Figures>
        <Figure name={T.pending} value={count(figures?.pending)} />
        <Figure name={T.asked} value={count(figures?.asked)} more={T.days} />
        <Figure name={T.confirmed} value={count(figures?.confirmed)} more={T.days} />
        <Figure name={T.rate} value={figures && formatPercent(figures.rate)} more={T.days} />
      </Figures>
      <List
        list={list}
        label={T.title}
        head={[T.column.email, { wide: T.column.requested }, ACTIONS]}
        row={(contact) => <PendingRow contact={contact} />}
        filtered={search !== ''}
        tools={<ListSearch label={texts.search} />}
        empty={<ListEmpty icon={MailCheck} filtered={search !== ''} texts={T} />}
      />
    </Page>
  )
}

function PendingRow({ contact }: { contact: Schemas['Contact'] }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, problem } = useAction()
  const requestedAt = contact.confirmation?.requestedAt ?? contact.createdAt
  const sendAgain = async () => {
    if (!(await run(api.contacts.requestConfirmation(contact.id)))) return
    toast.done(texts.pending.sent)
    void queries.invalidateQueries({ queryKey: [projectId, 'contacts'] })
  }
  return (
    <Row>
      <NameCell
        to={projectPage(projectId, 'contacts/$id', { id: contact.id })}
        onPhone={<Moment at={requestedAt} relative />}
      >
        {contact.email}
      </NameCell>
      <MomentCell wide at={requestedAt} />
      <Cell>
        {problem && <Problem error={problem} />}
        <Button busy={busy} aria-label={T.sendAgainTo(contact.email)} onClick={() => void sendAgain()}>
          {texts.pending.sendAgain}
        </Button>
      </Cell>
    </Row>
  )
}
