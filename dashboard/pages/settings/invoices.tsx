/** The subscription and its invoices, as Stripe has them; where nobody set Stripe up, what that would give. */
import { useQuery } from '@tanstack/react-query'
import { CreditCard, ReceiptText } from 'lucide-react'
import { person, type Schemas, unwrap, useConfig } from '../../api.ts'
import { Badge, inWords, type Tone } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Card, Loading } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { ACTS, Cell, Row, Table } from '../../parts/table.tsx'
import { useManages, useProject } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { moneyWords } from './money.ts'

type Subscription = Schemas['BillingConsumption']['subscription']

export function Billing({ subscription }: { subscription: Subscription }) {
  const config = useConfig()
  const manages = useManages()
  if (!config) return null
  if (!config.features.billing) {
    return (
      <Card title="Billing">
        <Empty icon={CreditCard} title="Billing is off">
          This installation charges nothing. Whoever runs it can set <code>STRIPE_SECRET_KEY</code> and{' '}
          <code>STRIPE_PRICE_ID</code>; subscriptions and invoices then appear here. Limits work either way.
        </Empty>
      </Card>
    )
  }
  return (
    <>
      <SubscriptionCard subscription={subscription} />
      {manages && <Invoices />}
    </>
  )
}

function SubscriptionCard({ subscription }: { subscription: Subscription }) {
  const project = useProject()
  const manages = useManages()
  const { act, busy, problem } = useAct()
  const goes = async () => {
    const { checkout, portal } = person.projects.billing
    const done = await act(subscription ? portal(project.id) : checkout(project.id))
    if (done) location.assign(done.data.url)
  }
  return (
    <Card
      title="Subscription"
      lead={subscription ? <SubscriptionWords subscription={subscription} /> : 'None yet.'}
      actions={
        manages && (
          <Button busy={busy} onClick={() => void goes()}>
            {subscription ? 'Open the billing portal' : 'Subscribe'}
          </Button>
        )
      }
    >
      {problem && <Problem error={problem} />}
    </Card>
  )
}

const SubscriptionWords = ({ subscription }: { subscription: NonNullable<Subscription> }) => (
  <>
    {inWords(subscription.status)}
    {subscription.periodEndsAt && (
      <>
        , {subscription.cancelsAtPeriodEnd ? 'ends' : 'renews'} <Moment at={subscription.periodEndsAt} />
      </>
    )}
  </>
)

const TONES: Record<string, Tone> = { paid: 'good', open: 'warn', uncollectible: 'bad' }

function Invoices() {
  const project = useProject()
  const { data, error, refetch } = useQuery({
    queryKey: [project.id, 'billing', 'invoices'],
    queryFn: async () => (await unwrap(person.projects.billing.invoices(project.id))).data,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  return (
    <Card title="Invoices" flush>
      {!data && <Loading />}
      {data?.length === 0 && (
        <Empty icon={ReceiptText} title="No invoice yet">
          Stripe writes one at the end of each period. It appears here, with a link to its PDF.
        </Empty>
      )}
      {data && data.length > 0 && (
        <Table label="Invoices" head={['Invoice', 'Status', 'Amount', { wide: 'Written' }, ACTS]}>
          {data.map((invoice) => (
            <Row key={invoice.id ?? invoice.createdAt}>
              <Cell className="w-full font-medium">{invoice.number ?? 'Draft'}</Cell>
              <Cell>
                <Badge tone={TONES[invoice.status ?? ''] ?? 'neutral'}>{inWords(invoice.status ?? 'draft')}</Badge>
              </Cell>
              <Cell className="whitespace-nowrap">{moneyWords(invoice.amountDue, invoice.currency)}</Cell>
              <Cell wide className="text-soft">
                <Moment at={invoice.createdAt} />
              </Cell>
              <Cell className="whitespace-nowrap">
                <InvoiceLink url={invoice.url} words="View" of={invoice.number} />{' '}
                <InvoiceLink url={invoice.pdfUrl} words="PDF" of={invoice.number} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Card>
  )
}

const InvoiceLink = ({ url, words, of }: { url: string | null; words: string; of: string | null }) =>
  url && (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      className="font-medium text-accent underline underline-offset-3 hover:text-accent-hover"
    >
      {words}
      <span className="sr-only"> of {of}</span>
    </a>
  )
