/** The Stripe subscription and its invoices, or a note that billing is disabled. */
import { useQuery } from '@tanstack/react-query'
import { ReceiptText } from 'lucide-react'
import { meQuery, type Schemas, unwrap, useConfig, userApi } from '../../data/api.ts'
import { useCanManage, useProject } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { formatMoney } from '../../figures/format.ts'
import { Moment } from '../../figures/moment.tsx'
import { Empty } from '../../lists/empty-state.tsx'
import { Problem } from '../../lists/problem.tsx'
import { ACTIONS, Cell, Row, Table } from '../../lists/table.tsx'
import { Card, Loading } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { Badge, statusLabel, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { texts } from './texts.ts'

type Subscription = Schemas['BillingConsumption']['subscription']

export function Billing({ subscription }: { subscription: Subscription }) {
  const config = useConfig()
  const { data: me } = useQuery(meQuery)
  const canManage = useCanManage()
  if (!config) return null
  if (!config.features.billing) {
    return (
      <Card
        title={texts.billing.offTitle}
        lead={
          <RichText
            text={me?.operator ? texts.billing.offOperator : texts.billing.off}
            elements={{
              secretKey: () => <code className="font-mono text-[0.8125rem]">STRIPE_SECRET_KEY</code>,
              priceId: () => <code className="font-mono text-[0.8125rem]">STRIPE_PRICE_ID</code>,
            }}
          />
        }
      />
    )
  }
  return (
    <>
      <SubscriptionCard subscription={subscription} />
      {canManage && <Invoices />}
    </>
  )
}

function SubscriptionCard({ subscription }: { subscription: Subscription }) {
  const project = useProject()
  const canManage = useCanManage()
  const { run, busy, problem } = useAction()
  const openStripe = async () => {
    const { checkout, portal } = userApi.projects.billing
    const done = await run(subscription ? portal(project.id) : checkout(project.id))
    if (done) location.assign(done.data.url)
  }
  return (
    <Card
      title={texts.billing.subscription}
      lead={subscription ? <SubscriptionStatus subscription={subscription} /> : texts.billing.noSubscription}
      actions={
        canManage && (
          <Button busy={busy} onClick={() => void openStripe()}>
            {subscription ? texts.billing.openPortal : texts.billing.subscribe}
          </Button>
        )
      }
    >
      {problem && <Problem error={problem} />}
    </Card>
  )
}

function SubscriptionStatus({ subscription }: { subscription: NonNullable<Subscription> }) {
  const { periodEndsAt, cancelsAtPeriodEnd } = subscription
  const status = statusLabel('subscriptions', subscription.status)
  if (!periodEndsAt) return status
  const text = cancelsAtPeriodEnd ? texts.billing.ends(status) : texts.billing.renews(status)
  return <RichText text={text} elements={{ time: () => <Moment at={periodEndsAt} /> }} />
}

const TONES: Record<string, Tone> = { paid: 'good', open: 'warn', uncollectible: 'bad' }

const { column } = texts.billing

function Invoices() {
  const project = useProject()
  const { data, error, refetch } = useQuery({
    queryKey: [project.id, 'billing', 'invoices'],
    queryFn: async () => (await unwrap(userApi.projects.billing.invoices(project.id))).data,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  return (
    <Card title={texts.billing.invoices} flush>
      {!data && <Loading />}
      {data?.length === 0 && (
        <Empty icon={ReceiptText} title={texts.billing.noInvoicesTitle}>
          {texts.billing.noInvoices}
        </Empty>
      )}
      {data && data.length > 0 && (
        <Table
          label={texts.billing.invoices}
          head={[column.invoice, column.status, column.amount, { wide: column.created }, ACTIONS]}
        >
          {data.map((invoice) => (
            <Row key={invoice.id ?? invoice.createdAt}>
              <Cell className="w-full font-medium">{invoice.number ?? texts.billing.draft}</Cell>
              <Cell>
                <Badge tone={TONES[invoice.status ?? ''] ?? 'neutral'}>
                  {statusLabel('invoices', invoice.status ?? 'draft')}
                </Badge>
              </Cell>
              <Cell className="whitespace-nowrap">{formatMoney(invoice.amountDue, invoice.currency)}</Cell>
              <Cell wide className="text-soft">
                <Moment at={invoice.createdAt} />
              </Cell>
              <Cell className="whitespace-nowrap">
                <InvoiceLink
                  url={invoice.url}
                  text={texts.billing.view}
                  label={texts.billing.viewInvoice(invoice.number)}
                />{' '}
                <InvoiceLink
                  url={invoice.pdfUrl}
                  text={texts.billing.pdf}
                  label={texts.billing.pdfInvoice(invoice.number)}
                />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Card>
  )
}

const InvoiceLink = ({ url, text, label }: { url: string | null; text: string; label: string }) =>
  url && (
    <a
      href={url}
      aria-label={label}
      target="_blank"
      rel="noopener noreferrer"
      className="font-medium text-accent underline underline-offset-3 hover:text-accent-hover"
    >
      {text}
    </a>
  )
