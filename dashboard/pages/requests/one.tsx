/** One API request: who made it, and why it was refused. */
import { useQuery } from '@tanstack/react-query'
import { projectPage } from '../../addresses.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi, useId } from '../../data/project.ts'
import { Moment } from '../../figures/moment.tsx'
import { Resource } from '../../lists/resource.tsx'
import { Cell, Row, Table } from '../../lists/table.tsx'
import { Card, Page } from '../../shell/page.tsx'
import { keyName } from '../../shell/texts.ts'
import { CopyValue } from '../../ui/copy.tsx'
import { RequestStatus } from './status.tsx'
import { texts } from './texts.ts'

const T = texts.one
type ApiRequest = Schemas['ApiRequest']

export function RequestPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const query = useQuery({
    queryKey: [projectId, 'requests', id],
    queryFn: () => unwrap(api.requests.get(id)),
  })
  const back = { to: projectPage(projectId, 'requests'), label: texts.title }
  return (
    <Resource query={query} title={T.title} back={back}>
      {(request) => (
        <Page title={`${request.method} ${request.path}`} lead={<RequestStatus request={request} />} back={back}>
          {request.error && <RequestError error={request.error} />}
          {request.ignoredFields.length > 0 && (
            <Card title={T.ignoredTitle}>
              <p className="text-sm text-soft">{T.ignoredLead}</p>
              <p className="mt-2 font-mono text-sm break-words">{request.ignoredFields.join(', ')}</p>
            </Card>
          )}
          <Card title={T.facts}>
            <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
              <Fact label={texts.column.time}>
                <Moment at={request.createdAt} />
              </Fact>
              <Fact label={texts.column.duration}>{texts.ms(request.durationMs)}</Fact>
              <Fact label={texts.column.key}>{keyName(request.key.name)}</Fact>
              <Fact label={T.network}>{request.ip ?? T.unknown}</Fact>
              <Fact label={T.id}>
                <CopyValue text={request.id} label={T.copyId} />
              </Fact>
            </dl>
          </Card>
        </Page>
      )}
    </Resource>
  )
}

const Fact = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-soft">{label}</dt>
    <dd className="mt-0.5 break-words">{children}</dd>
  </div>
)

function RequestError({ error }: { error: NonNullable<ApiRequest['error']> }) {
  return (
    <Card title={T.error}>
      <p className="text-sm">{error.message}</p>
      {error.suggestion && <p className="mt-1 text-sm text-soft">{error.suggestion}</p>}
      <p className="mt-2 text-sm">
        <a className="text-accent underline" href={error.docsUrl}>
          {T.docs}
        </a>
      </p>
      {error.errors.length > 0 && (
        <div className="mt-3">
          <Table label={T.error} head={[T.field, T.problem]}>
            {error.errors.map(({ field, message }) => (
              <Row key={`${field} ${message}`}>
                <Cell className="font-mono">{field}</Cell>
                <Cell>{message}</Cell>
              </Row>
            ))}
          </Table>
        </div>
      )}
    </Card>
  )
}
