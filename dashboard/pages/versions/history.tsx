/** The versions of a template or campaign: who saved what and when, compared with the current one, named and restored. */

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { contentOf } from '../../editor/document/content.ts'
import { Moment } from '../../figures/moment.tsx'
import { Problem } from '../../lists/problem.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog } from '../../ui/dialog.tsx'
import { Input } from '../../ui/field.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useToast } from '../../ui/toast.tsx'
import { Preview, type PreviewDraft } from '../templates/preview.tsx'
import { type DiffLine, diffLines, htmlLines, textLines } from './line-diff.ts'
import { whoSaved } from './template-version.tsx'
import { texts } from './texts.ts'

type Version = Schemas['ContentVersion']
type Facts = Pick<Version, 'number' | 'name' | 'actor' | 'createdAt'>

interface HistoryProps<T> {
  of: 'templates' | 'campaigns'
  id: string
  /** Decides whether a preview has an unsubscribe link. */
  type: PreviewDraft['type']
  /** The number of the current version. */
  current: number
  /** Restoring a version discards unsaved changes. */
  hasUnsaved?: boolean
  /** Gets the restored template or campaign; absent if it can't be changed. */
  onRestored?(saved: T): void
  /** What opens the versions instead of the button, such as a menu. */
  trigger?(openVersions: () => void): ReactNode
}

export function VersionHistory<T>({ trigger, onRestored, ...props }: HistoryProps<T>) {
  const { current } = props
  // A link can open the versions. Once they are closed, reloading the page doesn't open them again.
  const [{ versions }, change] = useSearchState<'versions'>()
  const [open, setOpen] = useState(versions !== undefined)
  const closeVersions = () => {
    setOpen(false)
    if (versions !== undefined) change({ versions: undefined }, { replace: true })
  }
  const openVersions = () => setOpen(true)
  return (
    <>
      {trigger ? (
        trigger(openVersions)
      ) : (
        <Button aria-haspopup="dialog" title={texts.title} onClick={openVersions}>
          <History className="max-sm:hidden" aria-hidden /> {texts.version(current)}
        </Button>
      )}
      <Dialog
        open={open}
        onClose={closeVersions}
        title={texts.title}
        lead={current > 1 ? texts.lead : texts.leadFirst}
        wide={current > 1}
        disposable
      >
        {open && (
          <Versions
            {...props}
            onRestored={
              onRestored &&
              ((saved: T) => {
                closeVersions()
                onRestored(saved)
              })
            }
          />
        )}
      </Dialog>
    </>
  )
}

function Versions<T>({ of, id, type, current, hasUnsaved = false, onRestored }: HistoryProps<T>) {
  const { projectId, api } = useApi()
  const [chosen, setChosen] = useState<number>()
  const { data, error } = useQuery({
    queryKey: [projectId, of, id, 'versions', current],
    queryFn: () => unwrap(api[of].versions(id)),
  })
  if (error) return <Problem error={error} />
  // Until one is chosen, it is the one before the current version: what changed last.
  const version = data?.data.find(({ number }) => (chosen === undefined ? number < current : number === chosen))
  const isFirst = current === 1
  return (
    <div className={`grid gap-5 ${isFirst ? '' : 'md:grid-cols-[16rem_1fr]'}`}>
      <ul aria-label={texts.list} className="max-h-[60vh] space-y-1 overflow-y-auto md:pe-1">
        {data?.data.map((one) => (
          <li key={one.number}>
            <button
              type="button"
              aria-pressed={one.number === version?.number}
              onClick={() => setChosen(one.number)}
              className="w-full rounded-part border border-line px-3 py-2 text-start text-sm hover:bg-panel aria-pressed:border-accent aria-pressed:bg-panel"
            >
              <span className="flex flex-wrap items-center gap-2 font-medium">
                {one.name ?? texts.version(one.number)}
                {one.number === current && <Badge tone="good">{texts.current}</Badge>}
              </span>
              <span className="block truncate text-soft">{whoSaved(one) ?? texts.system}</span>
              <span className="text-soft">
                {one.name && `${texts.version(one.number)} · `}
                <Moment at={one.createdAt} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {version && (
        <div key={version.number} className="min-w-0 space-y-4">
          {version.number !== current && (
            <>
              <Comparison of={of} id={id} type={type} number={version.number} current={current} />
              {onRestored && (
                <Restore of={of} id={id} number={version.number} hasUnsaved={hasUnsaved} onRestored={onRestored} />
              )}
            </>
          )}
          <NameForm of={of} id={id} version={version} />
        </div>
      )}
    </div>
  )
}

interface OneProps {
  of: 'templates' | 'campaigns'
  id: string
}

function NameForm({ of, id, version }: OneProps & { version: Facts }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, problem } = useAction()
  const [name, setName] = useState(version.name ?? '')
  const saveName = async (event: FormEvent) => {
    event.preventDefault()
    if (!(await run(api[of].nameVersion(id, version.number, name.trim() || null)))) return
    toast.done(texts.nameSaved)
    await queries.invalidateQueries({ queryKey: [projectId, of, id, 'versions'] })
  }
  return (
    <form onSubmit={saveName} className="space-y-2">
      <div className="flex items-end gap-2">
        <div className="flex-1">
          <Input
            label={texts.name}
            value={name}
            maxLength={100}
            placeholder={texts.namePlaceholder}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <Button type="submit" busy={busy} disabled={name.trim() === (version.name ?? '')}>
          {texts.saveName}
        </Button>
      </div>
      {problem && <Problem error={problem} />}
    </form>
  )
}

interface ComparisonProps extends OneProps {
  type: PreviewDraft['type']
  number: number
  current: number
}

function Comparison({ of, id, type, number, current }: ComparisonProps) {
  const { projectId, api } = useApi()
  const [tab, setTab] = useState('text')
  const { data, error } = useQuery({
    queryKey: [projectId, of, id, 'versions', 'compare', number, current],
    queryFn: () => Promise.all([unwrap(api[of].version(id, number)), unwrap(api[of].version(id, current))] as const),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error) return <Problem error={error} />
  if (!data) return null
  const [before, after] = data
  const fieldsOf = ({ subject, preheader, text }: Version) => [
    sharedTexts.labeled(texts.subject, subject),
    ...(preheader ? [sharedTexts.labeled(texts.preheader, preheader)] : []),
    ...(text ? [sharedTexts.labeled(texts.plainText, text)] : []),
  ]
  const linesOf = (version: Version, read: (html: string) => string[]) => [...fieldsOf(version), ...read(version.body)]
  const diff = (read: (html: string) => string[]) => (
    <Diff lines={diffLines(linesOf(before, read), linesOf(after, read))} />
  )
  return (
    <div className="[&_[role=tablist]]:px-0">
      <h3 className="text-sm font-medium">{texts.from(number, current)}</h3>
      <Tabs
        label={texts.compare}
        open={tab}
        onOpen={setTab}
        tabs={[
          { name: 'text', label: texts.text, content: diff(textLines) },
          { name: 'html', label: texts.html, content: diff(htmlLines) },
          { name: 'preview', label: texts.preview(number), content: <VersionPreview version={before} type={type} /> },
        ]}
      />
    </div>
  )
}

/** The older version as it would be sent now. */
const VersionPreview = ({ version, type }: { version: Version } & Pick<PreviewDraft, 'type'>) => (
  <div className="mt-2 max-h-[50vh] overflow-y-auto rounded-part border border-line">
    <Preview
      isEmbedded
      draft={{ subject: version.subject, preheader: version.preheader ?? '', type, ...contentOf(version) }}
    />
  </div>
)

const LINE_LOOKS = { same: 'text-soft', added: 'bg-good-wash text-good', removed: 'bg-bad-wash text-bad' }
const SIGNS = { same: ' ', added: '+', removed: '−' }
/** Unchanged lines around a change. */
const CONTEXT = 2

/** A line, or the number of unchanged lines that are not shown. */
type DiffPart = { key: number } & ({ line: DiffLine } | { hidden: number })

function Diff({ lines }: { lines: DiffLine[] }) {
  /** Where unchanged lines are shown, by the index of the first. */
  const [opened, setOpened] = useState<number[]>([])
  const revealed = useRef<HTMLLIElement>(null)
  // The button that had the focus is gone.
  useEffect(() => void (opened.length > 0 && revealed.current?.focus()), [opened])
  if (lines.every(({ kind }) => kind === 'same')) return <p className="py-2 text-sm text-soft">{texts.unchanged}</p>
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ kind }) => kind !== 'same')
  const parts = lines.flatMap((line, at): DiffPart[] => {
    if (isNear(at)) return [{ key: at, line }]
    if (at > 0 && !isNear(at - 1)) return []
    let end = at
    while (end < lines.length && !isNear(end)) end++
    if (opened.includes(at)) return lines.slice(at, end).map((one, i) => ({ key: at + i, line: one }))
    return [{ key: at, hidden: end - at }]
  })
  return (
    <ol className="mt-2 max-h-[45vh] overflow-auto rounded-part border border-line font-mono text-xs leading-5">
      {parts.map((part) =>
        'line' in part ? (
          <li
            key={part.key}
            {...(part.key === opened.at(-1) && { ref: revealed, tabIndex: -1 })}
            className={`pe-2 ps-[calc(0.5rem+2ch)] -indent-[2ch] break-words whitespace-pre-wrap ${LINE_LOOKS[part.line.kind]}`}
          >
            {part.line.kind !== 'same' && <span className="sr-only">{texts[part.line.kind]} </span>}
            <span aria-hidden>{SIGNS[part.line.kind]} </span>
            {part.line.text}
          </li>
        ) : (
          <li key={part.key}>
            <button
              type="button"
              onClick={() => setOpened([...opened, part.key])}
              className="w-full bg-panel px-2 text-start text-soft underline hover:text-ink"
            >
              {texts.more(part.hidden)}
            </button>
          </li>
        ),
      )}
    </ol>
  )
}

interface RestoreProps<T> extends OneProps {
  number: number
  hasUnsaved: boolean
  onRestored(saved: T): void
}

function Restore<T>({ of, id, number, hasUnsaved, onRestored }: RestoreProps<T>) {
  const { api } = useApi()
  const toast = useToast()
  const [asking, setAsking] = useState(false)
  const restoreVersion = async () => {
    const saved =
      of === 'templates'
        ? await unwrap(api.templates.restoreVersion(id, number))
        : await unwrap(api.campaigns.restoreVersion(id, number))
    toast.done(texts.restored(number))
    onRestored(saved as T)
  }
  return (
    <>
      <Button onClick={() => setAsking(true)}>{texts.restore(number)}</Button>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={texts.restoreTitle(number)}
        action={texts.restore(number)}
        harmless
        onConfirm={restoreVersion}
      >
        <p>
          {texts.restoreEffect} {hasUnsaved && texts.unsavedLost}
        </p>
      </Confirm>
    </>
  )
}
