/** The content of the campaign or, if the variants of its experiment differ in content, of one of them. */
import { useState } from 'react'
import type { PosthornError } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { useAction } from '../../../data/use-action.ts'
import { type Content, compileContent } from '../../../editor/document/content.ts'
import { Problem } from '../../../lists/problem.tsx'
import type { Steps } from '../../../saving/use-draft-history.ts'
import { Card } from '../../../shell/page.tsx'
import { Button } from '../../../ui/button.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { ContentEditor } from '../../templates/content-editor.tsx'
import type { Draft } from '../draft.ts'
import type { VariantDraft } from './draft.ts'
import { experimentTexts } from './texts.ts'

const T = experimentTexts.content

interface VariantContentProps {
  draft: Draft
  edit(change: (draft: Draft) => Partial<Draft>, key?: string): void
  steps: Steps
  revision: number
  error: PosthornError | null
}

export function CampaignContent({ draft, edit, ...rest }: VariantContentProps) {
  const { experiment } = draft
  const [chosen, setChosen] = useState<number>()
  const variants = experiment?.parts.includes('content') ? experiment.variants : []
  const index = chosen !== undefined && chosen < variants.length ? chosen : undefined
  const variant = index === undefined ? undefined : variants[index]
  const changeVariant = (change: (variant: VariantDraft) => VariantDraft, key?: string) =>
    edit((now) => {
      const before = now.experiment?.variants[index!]
      const after = before && change(before)
      if (!now.experiment || !after || after === before) return now
      const others = now.experiment.variants
      return { experiment: { ...now.experiment, variants: others.map((one, i) => (i === index ? after : one)) } }
    }, key)
  const editContent = (change: (content: Content) => Partial<Content>, key?: string) =>
    changeVariant((before) => {
      const changes = before.content && change(before.content)
      if (!changes || changes === before.content) return before
      return { ...before, content: { ...before.content!, ...changes } }
    }, key && `variant ${index} ${key}`)
  const switcher = variants.length > 0 && (
    <Choices names={variants.map(({ name }) => name)} chosen={index} onChoose={setChosen} />
  )
  if (!variant) {
    return (
      <div>
        {switcher}
        <ContentEditor key="campaign" draft={draft} edit={edit} {...rest} />
      </div>
    )
  }
  const { content } = variant
  return (
    <div>
      {switcher}
      {content ? (
        <>
          <Reset name={variant.name} onReset={() => changeVariant((before) => ({ ...before, content: null }))} />
          <ContentEditor
            key={`variant ${index}`}
            kinds={['visual', 'html']}
            draft={{ ...draft, ...ownLines(variant), ...content }}
            edit={editContent}
            {...rest}
          />
        </>
      ) : (
        <CopyContent
          name={variant.name}
          campaign={draft}
          onCopied={(copy) => changeVariant((before) => ({ ...before, content: copy }))}
        />
      )}
    </div>
  )
}

/** The preview shows the subject and the preheader of the variant. */
const ownLines = ({ subject, preheader }: VariantDraft) => ({
  ...(subject && { subject }),
  ...(preheader && { preheader }),
})

interface ChoicesProps {
  names: string[]
  chosen: number | undefined
  onChoose(index: number | undefined): void
}

const Choices = ({ names, chosen, onChoose }: ChoicesProps) => (
  <fieldset className="mb-3 flex flex-wrap items-center gap-2">
    <legend className="sr-only">{T.label}</legend>
    <span aria-hidden className="text-sm font-medium">
      {T.label}
    </span>
    {[undefined, ...names.keys()].map((index) => (
      <button
        key={index ?? 'campaign'}
        type="button"
        aria-pressed={index === chosen}
        onClick={() => onChoose(index)}
        className="h-8 max-w-48 truncate rounded-full border border-line-strong bg-card px-3 text-sm text-soft transition-colors hover:text-ink aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:font-medium aria-pressed:text-ink"
      >
        {index === undefined ? T.campaign : names[index]}
      </button>
    ))}
  </fieldset>
)

function Reset({ name, onReset }: { name: string; onReset(): void }) {
  const toast = useToast()
  return (
    <div className="mb-3">
      <Button
        onClick={() => {
          onReset()
          toast.done(T.wasReset(name))
        }}
      >
        {T.reset}
      </Button>
    </div>
  )
}

interface CopyProps {
  name: string
  campaign: Content
  onCopied(content: Content): void
}

/** Variants are written as blocks or as HTML, so a campaign in MJML is copied as the HTML that it is sent as. */
function CopyContent({ name, campaign: { editor, body, document, mjml }, onCopied }: CopyProps) {
  const { api } = useApi()
  const { run, busy, problem } = useAction()
  const copy = async () => {
    const content: Content = { editor, body, document, mjml }
    if (editor !== 'mjml') return onCopied(content)
    const compiled = await run(compileContent(api, content))
    if (compiled) onCopied({ editor: 'html', body: compiled.data.body, document: null, mjml: null })
  }
  return (
    <Card title={T.as(name)} lead={T.ownHint}>
      <div className="space-y-3">
        {problem && <Problem error={problem} />}
        <Button busy={busy} onClick={() => void copy()}>
          {T.own(name)}
        </Button>
      </div>
    </Card>
  )
}
