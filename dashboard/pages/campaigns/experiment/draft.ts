/** An experiment in the campaign editor: its variants, and the request that saves it. */
import type { inProject, Schemas } from '../../../data/api.ts'
import { type Content, contentForApi, contentOf } from '../../../editor/document/content.ts'

type Experiment = Schemas['Experiment']

/** What can differ between variants. The sender is an address and a name. */
export const PARTS = ['subject', 'sender', 'preheader', 'content'] as const
export type Part = (typeof PARTS)[number]

/** An empty field is that of the campaign. */
export interface VariantDraft {
  name: string
  subject: string
  from: string
  fromName: string
  preheader: string
  content: Content | null
}

export interface ExperimentDraft {
  parts: Part[]
  variants: VariantDraft[]
  /** In percent. */
  share: number
  metric: Experiment['metric']
  conversionEvent: string
  waitMinutes: number
  winner: Experiment['selection']
}

export const VARIANTS_MAX = 5
export const SHARE = { min: 5, max: 50 }
export const WAIT_MINUTES = { min: 15, max: 10_080 }
/** Recipients of all variants together. */
export const TEST_MIN = 100
const NAMES = [...'ABCDEFGHIJ']

export const newVariant = (others: Array<Pick<VariantDraft, 'name'>>): VariantDraft => ({
  name: NAMES.find((name) => !others.some((other) => other.name === name))!,
  subject: '',
  from: '',
  fromName: '',
  preheader: '',
  content: null,
})

export const newExperiment = (): ExperimentDraft => ({
  parts: ['subject'],
  variants: [newVariant([]), newVariant([{ name: 'A' }])],
  share: 20,
  metric: 'opens',
  conversionEvent: '',
  waitMinutes: 240,
  winner: 'automatic',
})

type Stored = Pick<Experiment['variants'][number], 'subject' | 'from' | 'fromName' | 'preheader' | 'body' | 'document'>

/** Whether a variant has its own subject, sender, preheader or content. */
const OWN: Record<Part, (variant: Stored) => boolean> = {
  subject: ({ subject }) => subject !== null,
  sender: ({ from, fromName }) => from !== null || fromName !== null,
  preheader: ({ preheader }) => preheader !== null,
  content: ({ body }) => body !== null,
}

export const partsOf = (variants: Stored[]): Part[] => PARTS.filter((part) => variants.some(OWN[part]))

export function experimentOf(saved: Experiment): ExperimentDraft {
  const parts = partsOf(saved.variants)
  return {
    parts: parts.length > 0 ? parts : ['subject'],
    variants: saved.variants.map(({ name, subject, from, fromName, preheader, body, document }) => ({
      name,
      subject: subject ?? '',
      from: from ?? '',
      fromName: fromName ?? '',
      preheader: preheader ?? '',
      content:
        body === null
          ? null
          : contentOf({ editor: document ? 'visual' : 'html', body, document: document, mjml: null }),
    })),
    share: saved.share,
    metric: saved.metric,
    conversionEvent: saved.conversionEvent ?? '',
    waitMinutes: saved.waitMinutes,
    winner: saved.selection,
  }
}

/** Fields of parts that don't differ are left out, even if something was entered before. */
function variantInput({ name, subject, from, fromName, preheader, content }: VariantDraft, parts: Part[]) {
  const own = (part: Part, value: string) => (parts.includes(part) && value !== '' ? value : null)
  return {
    name,
    subject: own('subject', subject),
    from: own('sender', from),
    fromName: own('sender', fromName),
    preheader: own('preheader', preheader),
    ...(content && parts.includes('content') ? contentForApi(content) : {}),
  }
}

export const inputOf = ({ parts, variants, conversionEvent, ...same }: ExperimentDraft) => ({
  ...same,
  conversionEvent: same.metric === 'conversions' ? conversionEvent : null,
  variants: variants.map((variant) => variantInput(variant, parts)),
})

/** What the checks need: the variants as they would be sent. */
export const checkedVariants = ({ parts, variants }: ExperimentDraft) =>
  variants.map((variant) => {
    const { from: _from, fromName: _fromName, ...content } = variantInput(variant, parts)
    return content
  })

/** The first two variants that would send the same email. */
export function sameVariants({ variants, parts }: ExperimentDraft): [string, string] | undefined {
  const emails = variants.map(({ name: _name, ...variant }) =>
    JSON.stringify(variantInput({ name: '', ...variant }, parts)),
  )
  const second = emails.findIndex((email, i) => emails.indexOf(email) < i)
  return second === -1 ? undefined : [variants[emails.indexOf(emails[second]!)]!.name, variants[second]!.name]
}

/** How many recipients the test has; the rest of the audience gets the winner. */
export const testSize = (audience: number, share: number): number => Math.floor((audience * share) / 100)

/** The smallest share of an audience that is large enough for a test; undefined if none is. */
export function shareNeeded(audience: number): number | undefined {
  const share = Math.ceil((TEST_MIN * 100) / Math.max(audience, 1))
  return share > SHARE.max ? undefined : Math.max(share, SHARE.min)
}

/** A campaign with its experiment: they are separate in the API, and edited and saved together. */
export type WithExperiment = Schemas['Campaign'] & { experiment: Experiment | null }

type Api = ReturnType<typeof inProject>

export async function readWithExperiment(api: Api, id: string) {
  const campaign = await api.campaigns.get(id)
  return campaign.error ? campaign : addExperiment(api, campaign.data)
}

async function addExperiment(api: Api, campaign: Schemas['Campaign']) {
  if (!campaign.hasExperiment) return { data: { ...campaign, experiment: null } as WithExperiment }
  const { data, error } = await api.campaigns.experiment(campaign.id)
  return error ? { error } : { data: { ...campaign, experiment: data } as WithExperiment }
}

/** Saves what changed of the experiment, after its campaign. Errors name fields below `experiment`. */
export async function saveExperiment(
  api: Api,
  campaign: Schemas['Campaign'],
  experiment: ExperimentDraft | null,
  before: ExperimentDraft | null,
) {
  const isSaved = experiment && before && JSON.stringify(inputOf(experiment)) === JSON.stringify(inputOf(before))
  if (campaign.hasExperiment ? isSaved : !experiment) return addExperiment(api, campaign)
  const { error } = experiment
    ? await api.campaigns.setExperiment(campaign.id, inputOf(experiment))
    : await api.campaigns.deleteExperiment(campaign.id)
  if (!error) return readWithExperiment(api, campaign.id)
  const errors = error.errors?.map((item) => ({ ...item, field: `experiment.${item.field}` }))
  return { error: { ...error, ...(errors && { errors }) } }
}
