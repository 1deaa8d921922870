/**
 * Saves a form with the version that was read. If someone else has saved it since then, changes to different fields are
 * merged, and for fields that both changed, a dialog asks. Until it is answered, the form keeps everything that was entered.
 */
import type { Result, Unchanged } from '@posthorn/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { meQuery } from '../data/api.ts'
import { labelOf } from '../data/errors.ts'
import { useAction } from '../data/use-action.ts'
import type { Form } from '../data/use-draft.ts'
import { sharedTexts } from '../shell/texts.ts'
import { useToast } from '../ui/toast.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { excerptOf, isSame, type Merge, mergeParts, type Parts } from './merge.ts'
import { conflictTexts as T } from './texts.ts'

interface Saved {
  updatedAt: string
}

interface SaveOptions<R extends Saved, D extends object> {
  /** Reads what is saved now. */
  read?(): Promise<Result<R>>
  /** `before` is what was saved when it was read. */
  save(draft: D, condition: Unchanged, before: D): Promise<Result<R>>
  draftOf(resource: R): D
  /** The values of a draft that are merged separately; by default, its fields. */
  partsOf?(draft: D): Parts
  /** The opposite of `partsOf`. */
  draftFrom?(parts: Parts): D
  labelOf?(part: string): string
  /** A value as a short text, where `excerptOf` can't tell. */
  show?(part: string, value: unknown): string | undefined
  /** The address of the person who saved it last, if that is known. */
  whoSaved?(resource: R): Promise<string | undefined>
  onSaved(resource: R): unknown
  /** The form got values that were not entered in it. */
  onReplaced?(): void
}

interface Conflict<R, D> extends Merge {
  resource: R
  mine: Parts
  theirs: Parts
  draft: D
  who: string | undefined
}

type Outcome<R, D> = { saved: R; draft: D; taken: string[]; who: string | undefined } | { conflict: Conflict<R, D> }

const ATTEMPTS_MAX = 5

export function useSave<R extends Saved, D extends object>(form: Form<D>, options: SaveOptions<R, D>) {
  const { run, ...action } = useAction()
  const toast = useToast()
  const queries = useQueryClient()
  const me = queries.getQueryData(meQuery.queryKey)?.email
  const [conflict, setConflict] = useState<Conflict<R, D>>()
  const partsOf = options.partsOf ?? ((draft: D) => draft as unknown as Parts)
  const draftFrom = options.draftFrom ?? ((parts: Parts) => parts as unknown as D)
  const label = options.labelOf ?? labelOf
  const show = (part: string, value: unknown) => options.show?.(part, value) ?? excerptOf(value)
  const isMe = (who: string | undefined) => who !== undefined && who === me

  async function attempt(
    mine: D,
    from: { saved: D; stored: D; readAt: string | undefined },
  ): Promise<Result<Outcome<R, D>>> {
    const taken = new Set<string>()
    let who: string | undefined
    let draft = mine
    let { saved, stored, readAt } = from
    for (let left = ATTEMPTS_MAX; ; left--) {
      const { data, error } = await options.save(draft, readAt === undefined ? {} : { unchangedSince: readAt }, stored)
      if (!error) return { data: { saved: data as R, draft, taken: [...taken], who } }
      if (error.code !== 'PRECONDITION_FAILED' || !options.read || left === 0) return { error }
      const current = await options.read()
      if (current.error) return { error: current.error }
      const resource = current.data
      who = await options.whoSaved?.(resource)
      const theirs = options.draftOf(resource)
      const parts = { mine: partsOf(draft), theirs: partsOf(theirs) }
      const merge = mergeParts({ saved: partsOf(saved), stored: partsOf(stored), ...parts })
      if (merge.both.length > 0) return { data: { conflict: { ...merge, ...parts, resource, draft, who } } }
      for (const name of merge.taken) taken.add(name)
      draft = draftFrom(merge.merged)
      saved = stored = theirs
      readAt = resource.updatedAt
    }
  }

  async function saveFrom(mine: D, from: { saved: D; stored: D; readAt: string | undefined }): Promise<boolean> {
    const entered = partsOf(form.draft)
    const done = await run(attempt(mine, from))
    if (!done) return false
    if ('conflict' in done.data) {
      setConflict(done.data.conflict)
      return false
    }
    const { saved, draft, taken, who } = done.data
    const sent = partsOf(draft)
    const others = [...new Set([...Object.keys(sent), ...Object.keys(entered)])].filter(
      (name) => !isSame(sent[name], entered[name]),
    )
    if (others.length > 0) {
      // What was typed while it was being saved stays.
      form.change((now) => {
        const parts = partsOf(now)
        const untouched = others.filter((name) => isSame(parts[name], entered[name]))
        return draftFrom({ ...parts, ...Object.fromEntries(untouched.map((name) => [name, sent[name]])) })
      })
      options.onReplaced?.()
    }
    form.markSaved(draft, options.draftOf(saved), saved.updatedAt)
    setConflict(undefined)
    await options.onSaved(saved)
    if (taken.length > 0) toast.done(T.mergedWith(isMe(who) ? undefined : who, taken.map(label)))
    return true
  }

  const showTheirs = ({ resource }: Conflict<R, D>) => {
    const mine = form.draft
    form.replace(options.draftOf(resource), resource.updatedAt)
    options.onReplaced?.()
    setConflict(undefined)
    const undo = () => {
      form.set(mine)
      options.onReplaced?.()
    }
    toast.done(T.tookTheirs, { label: sharedTexts.undo, onSelect: undo })
  }

  /** Saves over what was saved meanwhile. */
  const saveOver = (resource: R, draft: D) => {
    const theirs = options.draftOf(resource)
    return saveFrom(draft, { saved: theirs, stored: theirs, readAt: resource.updatedAt })
  }

  const dialog: ReactNode = conflict && (
    <ConflictDialog
      at={conflict.resource.updatedAt}
      who={conflict.who}
      isMe={isMe(conflict.who)}
      both={conflict.both.map((name) => ({
        name,
        label: label(name),
        theirs: show(name, conflict.theirs[name]),
        mine: show(name, conflict.mine[name]),
      }))}
      taken={conflict.taken.map(label)}
      busy={action.busy}
      problem={action.problem}
      onClose={() => setConflict(undefined)}
      onTheirs={() => showTheirs(conflict)}
      onMine={() => void saveOver(conflict.resource, conflict.draft)}
      onMerge={(chosen) => {
        const theirs = conflict.both.filter((name) => chosen[name] === 'theirs')
        const parts = Object.fromEntries(theirs.map((name) => [name, conflict.theirs[name]]))
        void saveOver(conflict.resource, draftFrom({ ...conflict.merged, ...parts }))
      }}
    />
  )
  /** Resolves to whether it is saved. */
  const save = (): Promise<boolean> => saveFrom(form.draft, form.base)
  return { ...action, save, dialog, hasConflict: conflict !== undefined }
}
