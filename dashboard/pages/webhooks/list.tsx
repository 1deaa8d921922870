/** The webhook endpoints of a project. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus, Webhook } from 'lucide-react'
import { projectPage } from '../../addresses.ts'
import { unwrap } from '../../data/api.ts'
import { useAdding, useApi, useCanManage, useSearchState } from '../../data/project.ts'
import { Empty } from '../../lists/empty-state.tsx'
import { List } from '../../lists/list.tsx'
import { Cell, MomentCell, NameCell, Row } from '../../lists/table.tsx'
import { Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { EndpointEditor } from './editor.tsx'
import { EndpointState } from './endpoint-state.tsx'
import { texts } from './texts.ts'

export function WebhooksPage() {
  const { projectId, api } = useApi()
  const canManage = useCanManage()
  const [{ cursor }] = useSearchState<'cursor'>()
  const [adding, setAdding] = useAdding()
  const query = { limit: 50, cursor }
  const list = useQuery({
    queryKey: [projectId, 'webhooks', query],
    queryFn: () => unwrap(api.webhookEndpoints.list(query)),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000, // attempts are not events of the stream
  })
  const addButton = canManage && (
    <Button kind="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden /> {texts.add}
    </Button>
  )
  return (
    <Page title={texts.title} lead={texts.lead} actions={addButton}>
      {adding && canManage && <EndpointEditor onClose={() => setAdding(false)} />}
      <List
        list={list}
        label={texts.title}
        head={[texts.column.url, { wide: texts.column.events }, texts.column.state, { wide: texts.column.last }]}
        row={(endpoint) => (
          <Row>
            <NameCell to={projectPage(projectId, 'webhooks/$id', { id: endpoint.id })}>{endpoint.url}</NameCell>
            <Cell wide>{endpoint.eventTypes.join(', ')}</Cell>
            <Cell>
              <EndpointState endpoint={endpoint} />
            </Cell>
            <MomentCell wide at={endpoint.lastDeliveryAt} />
          </Row>
        )}
        filtered={false}
        empty={
          <Empty icon={Webhook} title={texts.emptyTitle} actions={addButton}>
            {texts.empty}
          </Empty>
        }
      />
    </Page>
  )
}
