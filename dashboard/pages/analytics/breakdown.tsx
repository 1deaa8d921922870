/** The emails of a period by campaign, template, workflow or domain of the recipient. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { projectPage } from '../../addresses.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { formatNumber, formatShare } from '../../figures/format.ts'
import { emailShares } from '../../figures/rates.ts'
import { toCsv } from '../../lists/csv.ts'
import { Problem } from '../../lists/problem.tsx'
import { saveFile } from '../../lists/save-file.ts'
import { SkeletonRows } from '../../lists/skeleton.tsx'
import { Cell, NameCell, NumberCell, OnPhone, Row, Table } from '../../lists/table.tsx'
import { Button } from '../../ui/button.tsx'
import { DottedName } from '../../ui/dotted-name.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { Period } from './period.ts'
import { texts } from './texts.ts'

type Entry = Schemas['BreakdownEntry']
type By = keyof typeof texts.breakdown.by

const SHOWN = 50
const PAGES = {
  campaign: 'campaigns/$id',
  template: 'templates/$id',
  workflow: 'workflows/$id',
  domain: undefined,
} as const
const RATES = ['delivered', 'opened', 'clicked', 'bounced', 'complained'] as const

export function Breakdown({ period }: { period: Period['current'] }) {
  const [{ by: chosen = '' }, change] = useSearchState<'by'>()
  const by = (chosen in texts.breakdown.by ? chosen : 'campaign') as By
  return (
    <section aria-label={texts.breakdown.title} className="rounded-card border border-line bg-card shadow-lift">
      <h2 className="px-5 pt-4.5 pb-1 font-semibold tracking-tight">{texts.breakdown.title}</h2>
      <Tabs
        label={texts.breakdown.title}
        open={by}
        onOpen={(name) => change({ by: name === 'campaign' ? undefined : name }, { replace: true })}
        tabs={(Object.keys(texts.breakdown.by) as By[]).map((name) => ({
          name,
          label: <TabLabel by={name} />,
          content: <Entries by={name} period={period} />,
        }))}
      />
    </section>
  )
}

const TabLabel = ({ by }: { by: By }) =>
  by === 'domain' ? (
    <>
      <span className="max-sm:hidden">{texts.breakdown.by.domain}</span>
      <span className="sm:hidden">{texts.breakdown.domainOnPhone}</span>
    </>
  ) : (
    texts.breakdown.by[by]
  )

function Entries({ by, period }: { by: By; period: Period['current'] }) {
  const { projectId, api } = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: [projectId, 'analytics', 'breakdown', by, period],
    queryFn: async () => (await unwrap(api.analytics.breakdown({ by, ...period, limit: SHOWN }))).data,
    placeholderData: keepPreviousData,
  })
  if (error)
    return (
      <div className="p-5">
        <Problem error={error} retry={() => void refetch()} />
      </div>
    )
  if (!data) return <SkeletonRows rows={4} />
  if (data.length === 0) return <p className="p-5 text-sm text-soft">{texts.breakdown.empty}</p>
  const nameOf = ({ name }: Entry) => name ?? texts.breakdown.deleted
  const exportEntries = () => {
    const head = [texts.breakdown.name[by], texts.sent, ...RATES.map((rate) => texts[rate])]
    const rows = data.map((entry) => [nameOf(entry), entry.sent, ...RATES.map((rate) => entry[rate])])
    saveFile(texts.breakdown.file(by, period), new Blob([toCsv([head, ...rows])], { type: 'text/csv' }))
  }
  return (
    <>
      <Table
        label={texts.breakdown.by[by]}
        head={[
          texts.breakdown.name[by],
          { number: texts.sent },
          ...RATES.map((rate) => ({ number: texts[rate], onlyWide: rate !== 'opened' })),
        ]}
      >
        {data.map((entry) => {
          const shares = emailShares(entry)
          const page = PAGES[by]
          const share = (rate: (typeof RATES)[number]) => formatShare(...shares[rate])
          const onPhone = texts.breakdown.rates(share('delivered'), share('clicked'), share('bounced'))
          return (
            <Row key={entry.id ?? entry.name}>
              {page && entry.id && entry.name !== null ? (
                <NameCell to={projectPage(projectId, page, { id: entry.id })} onPhone={onPhone}>
                  {nameOf(entry)}
                </NameCell>
              ) : (
                <Cell className="w-full min-w-40 font-medium wrap-anywhere">
                  {by === 'domain' ? <DottedName name={nameOf(entry)} /> : nameOf(entry)}
                  <OnPhone>
                    <span className="font-normal">{onPhone}</span>
                  </OnPhone>
                </Cell>
              )}
              <NumberCell>{formatNumber(entry.sent)}</NumberCell>
              {RATES.map((rate) => (
                <NumberCell key={rate} wide={rate !== 'opened'}>
                  {share(rate)}
                </NumberCell>
              ))}
            </Row>
          )
        })}
      </Table>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3 text-sm text-soft">
        <span className="min-w-0 flex-1">
          {data.length === SHOWN ? texts.breakdown.first(SHOWN) : texts.breakdown.lead}
        </span>
        <Button onClick={exportEntries}>
          <Download aria-hidden /> {texts.exportCsv}
        </Button>
      </div>
    </>
  )
}
