/** The experiment on the page of a campaign: what it will do, how it is going, and who won. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { projectPage } from '../../../addresses.ts'
import { type Schemas, unwrap } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { formatNumber, formatPercent, formatShare } from '../../../figures/format.ts'
import { Moment } from '../../../figures/moment.tsx'
import { reachedOf } from '../../../figures/rates.ts'
import { ACTIONS, Cell, NumberCell, OnPhone, Row, Table } from '../../../lists/table.tsx'
import { Card } from '../../../shell/page.tsx'
import { RichText } from '../../../shell/rich-text.tsx'
import { sharedTexts } from '../../../shell/texts.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/dialog.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { experimentTexts } from './texts.ts'

type Campaign = Schemas['Campaign']
type Experiment = Schemas['Experiment']
type Variant = Experiment['variants'][number]

const T = experimentTexts.results

export function useExperiment(campaign: Campaign) {
  const { projectId, api } = useApi()
  const { data } = useQuery({
    queryKey: [projectId, 'campaigns', campaign.id, 'experiment'],
    enabled: campaign.hasExperiment,
    queryFn: () => unwrap(api.campaigns.experiment(campaign.id)),
  })
  return campaign.hasExperiment ? data : undefined
}

export function ExperimentCard({ campaign }: { campaign: Campaign }) {
  const { projectId } = useApi()
  const experiment = useExperiment(campaign)
  const isEditable = campaign.status === 'DRAFT' || campaign.status === 'SCHEDULED'
  const edit = (label: string) => (
    <LinkButton to={projectPage(projectId, 'campaigns/$id/edit', { id: campaign.id })}>{label}</LinkButton>
  )
  if (!campaign.hasExperiment) {
    if (!isEditable || campaign.timing) return null
    return <Card title={experimentTexts.title} lead={T.none} actions={edit(T.add)} />
  }
  if (!experiment) return null
  const { share, metric, waitMinutes, selection, status } = experiment
  return (
    <Card
      flush
      title={
        <span className="flex flex-wrap items-center gap-2">
          {experimentTexts.title} {!isEditable && <Badge tone={TONES[status]}>{T.statuses[status]}</Badge>}
        </span>
      }
      lead={T.summary(share, metric, waitMinutes, selection)}
      actions={isEditable ? edit(T.change) : undefined}
    >
      {isEditable ? (
        <PlannedVariants variants={experiment.variants} />
      ) : (
        <Results campaign={campaign} experiment={experiment} />
      )}
    </Card>
  )
}

const TONES: Record<Experiment['status'], Tone> = {
  draft: 'neutral',
  testing: 'info',
  deciding: 'warn',
  sending: 'info',
  done: 'good',
}

/** What differs from the campaign, in words. */
function differencesOf({ subject, from, fromName, preheader, body }: Variant): string[] {
  const sender = fromName && from ? `${fromName} <${from}>` : (fromName ?? from)
  const texts = [subject && sharedTexts.quoted(subject), sender && T.from(sender), preheader && T.preheader(preheader)]
  return [...texts, body !== null && T.ownContent].filter((text): text is string => Boolean(text))
}

const Differences = ({ variant }: { variant: Variant }) => {
  const differences = differencesOf(variant)
  return <span className="wrap-anywhere">{differences.length === 0 ? T.asCampaign : differences.join(' · ')}</span>
}

const PlannedVariants = ({ variants }: { variants: Variant[] }) => (
  <Table label={experimentTexts.title} head={[T.column.variant, T.differs]}>
    {variants.map((variant) => (
      <Row key={variant.name}>
        <Cell className="font-medium">{variant.name}</Cell>
        <Cell className="w-full text-soft">
          <Differences variant={variant} />
        </Cell>
      </Row>
    ))}
  </Table>
)

/** A probability above it counts as clear. */
const CONCLUSIVE = 0.8

/** The column of the numbers by which the winner is chosen. */
const MEASURES = ['opens', 'clicks', 'conversions'] as const
const COUNTS = { opens: 'opened', clicks: 'clicked', conversions: 'converted' } as const

function Results({ campaign, experiment }: { campaign: Campaign; experiment: Experiment }) {
  const { variants, metric, winner, status } = experiment
  const [chosen, setChosen] = useState<string>()
  const tested = variants.reduce((sum, { recipients }) => sum + recipients, 0)
  const rest = Math.max(0, campaign.totalRecipients - tested)
  const canChoose = winner === null && (status === 'testing' || status === 'deciding')
  const choose = (name: string) => (
    <Button aria-label={T.chooseNamed(name)} onClick={() => setChosen(name)}>
      {T.choose}
    </Button>
  )
  const shown = MEASURES.filter((measure) => measure !== 'conversions' || metric === 'conversions')
  return (
    <>
      <div className="space-y-1 px-5 pb-4 text-sm" aria-live="polite">
        {status !== 'draft' && <p className="text-base font-medium text-balance">{conclusionOf(experiment)}</p>}
        <p className="text-soft">
          <Progress experiment={experiment} rest={rest} isCanceled={campaign.status === 'CANCELLED'} />
        </p>
        {experiment.conclusive === false && <p className="text-soft">{T.inconclusive}</p>}
      </div>
      <Table
        label={T.table}
        head={[
          T.column.variant,
          { number: T.column.sent, onlyWide: true },
          ...shown.map((measure) => ({ number: T.column[measure], onlyWide: measure !== metric })),
          <span key="best" title={T.bestHint}>
            <span className="max-sm:sr-only">{T.column.best}</span>
            <span aria-hidden className="sm:hidden">
              {T.column.bestShort}
            </span>
          </span>,
          ...(canChoose ? [{ wide: ACTIONS }] : []),
        ]}
      >
        {variants.map((variant) => (
          <Row key={variant.name} selected={variant.name === winner}>
            <Cell className="w-full min-w-36">
              <span className="flex flex-wrap items-center gap-2 font-medium">
                <span className="wrap-anywhere">{variant.name}</span>
                {variant.name === winner && <Badge tone="good">{T.winner}</Badge>}
              </span>
              <p className="line-clamp-2 text-soft">
                <Differences variant={variant} />
              </p>
              {canChoose && <OnPhone>{choose(variant.name)}</OnPhone>}
            </Cell>
            <NumberCell wide>{formatNumber(variant.sent)}</NumberCell>
            {shown.map((measure) => (
              <NumberCell key={measure} wide={measure !== metric}>
                <Measure variant={variant} measure={measure} isDecisive={measure === metric} />
              </NumberCell>
            ))}
            <Cell>
              <Probability value={variant.probabilityBest} />
            </Cell>
            {canChoose && (
              <Cell wide className="text-end">
                {choose(variant.name)}
              </Cell>
            )}
          </Row>
        ))}
      </Table>
      <ChooseWinner campaign={campaign} name={chosen} rest={rest} onClose={() => setChosen(undefined)} />
    </>
  )
}

/** The `summary` of the experiment, in the language of the dashboard. */
function conclusionOf({ variants, winner, conclusive, recipientsNeeded }: Experiment): string {
  const { conclusion } = T
  if (winner !== null) return conclusive ? conclusion.won(winner) : conclusion.chosen(winner)
  const rate = Math.max(...variants.map((variant) => variant.rate))
  const best = variants.filter((variant) => variant.rate === rate)
  const [{ name, probabilityBest } = { name: '', probabilityBest: 0 }] = best
  if (rate === 0) return conclusion.none
  if (probabilityBest > CONCLUSIVE)
    return conclusion.ahead(name, Math.min(0.99, Math.floor(probabilityBest * 100) / 100))
  if (best.length > 1) return conclusion.equal(best.map((variant) => variant.name))
  return conclusion.close(name, recipientsNeeded)
}

interface MeasureProps {
  variant: Variant
  measure: (typeof MEASURES)[number]
  isDecisive: boolean
}

const Measure = ({ variant, measure, isDecisive }: MeasureProps) => (
  <>
    <span className={isDecisive ? 'font-semibold' : ''}>
      {formatShare(variant[COUNTS[measure]], reachedOf(variant))}
    </span>
    <span className="block text-[0.8125rem] text-soft">{formatNumber(variant[COUNTS[measure]])}</span>
  </>
)

/** Never shown as certain: it is an estimate from the numbers so far. */
function Probability({ value }: { value: number }) {
  const shown = Math.min(0.99, Math.max(0.01, value))
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className="h-2 w-20 overflow-hidden rounded-full bg-panel max-sm:hidden">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${value * 100}%` }} />
      </span>
      <span className="figures">
        {value > 0.99 ? '>' : value < 0.01 ? '<' : ''}
        {formatPercent(shown, 0)}
      </span>
    </span>
  )
}

interface ProgressProps {
  experiment: Experiment
  rest: number
  isCanceled: boolean
}

/** What happens next, or how the winner was chosen. */
function Progress({ experiment, rest, isCanceled }: ProgressProps): ReactNode {
  const { status, metric, selection, winner, decidedAt, decidedBy, decidesAt } = experiment
  if (winner !== null && decidedBy && decidedAt) {
    const text =
      decidedBy.type === 'system' ? T.decided.system(winner) : T.decided[decidedBy.type](winner, decidedBy.name)
    return <RichText text={text} elements={{ time: () => <Moment at={decidedAt} relative /> }} />
  }
  if (isCanceled) return T.canceled
  if (status === 'deciding') return selection === 'manual' ? T.over(rest) : T.deciding
  if (!decidesAt) return null
  return (
    <>
      <RichText text={T.testing} elements={{ time: () => <Moment at={decidesAt} /> }} />{' '}
      {selection === 'automatic' ? T.next.automatic(metric, rest) : T.next.manual(rest)}
    </>
  )
}

interface ChooseProps {
  campaign: Campaign
  /** The name of the variant; undefined while nothing is asked. */
  name: string | undefined
  rest: number
  onClose(): void
}

function ChooseWinner({ campaign, name, rest, onClose }: ChooseProps) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  return (
    <Confirm
      open={name !== undefined}
      onClose={onClose}
      title={T.chooseTitle(name ?? '')}
      action={T.chooseNamed(name ?? '')}
      harmless
      onConfirm={async () => {
        await unwrap(api.campaigns.chooseWinner(campaign.id, name!))
        toast.done(T.chosen(name!))
        void queries.invalidateQueries({ queryKey: [projectId, 'campaigns', campaign.id] })
      }}
    >
      <p>{T.chooseEffect(rest)}</p>
    </Confirm>
  )
}
