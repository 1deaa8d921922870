/** Tags as chips that open the filtered list, with an editor in place. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Tag, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { projectPage } from '../addresses.ts'
import { unwrap } from '../data/api.ts'
import { useApi, useSearchState } from '../data/project.ts'
import { Link } from '../links.tsx'
import { Combobox } from '../pickers/combobox.tsx'
import { tagTexts } from '../shell/texts.ts'
import { useToast } from '../ui/toast.tsx'
import { PickerFilter } from './list.tsx'

/** What has tags, by its name in the API. */
export type TagKind = 'campaigns' | 'templates' | 'segments' | 'workflows'

interface Tagged {
  id: string
  name: string
  tags: string[]
}

function useTags() {
  const { projectId, api } = useApi()
  return useQuery({ queryKey: [projectId, 'tags'], queryFn: () => unwrap(api.tags.list()) }).data ?? []
}

const choiceOf = (tag: string) => ({ value: tag, label: tag })

/** Shown only if there is something to choose. The active tag can be one that nothing has, for example after it was removed. */
export function TagFilter({ kind }: { kind: TagKind }) {
  const [{ tag: active }] = useSearchState<'tag'>()
  const used = useTags().flatMap((entry) => (entry[kind] > 0 ? [entry.tag] : []))
  const tags = active && !used.includes(active) ? [...used, active] : used
  if (tags.length === 0) return null
  return <PickerFilter kind="tag" label={tagTexts.filter} name="tag" any={tagTexts.all} choices={tags.map(choiceOf)} />
}

const CHIP = 'inline-flex items-center gap-1 rounded-full bg-panel px-2 py-0.5 text-xs font-medium text-soft'

/** In a list, the button appears beside the name on hover. It takes no space, so that rows don't grow. */
const IN_ROW =
  '[tr_&]:[@media(hover:hover)]:absolute [tr_&]:z-10 [tr:not(:hover)_&]:[@media(hover:hover)]:not-focus-within:sr-only'

export function Tags({ kind, item }: { kind: TagKind; item: Tagged }) {
  const { projectId } = useApi()
  const [editing, setEditing] = useState(false)
  const [isEscaped, setEscaped] = useState(false)
  const closeEditor = (byKey: boolean) => {
    setEditing(false)
    setEscaped(byKey)
  }
  if (editing) return <TagEditor kind={kind} item={item} onClose={closeEditor} />
  return (
    <div className="*:me-1 [tr_&]:inline">
      {item.tags.map((tag) => (
        <Link
          key={tag}
          to={projectPage(projectId, kind, { tag })}
          className={`${CHIP} max-w-48 hover:text-ink`}
          aria-label={tagTexts.show(tag)}
        >
          <span className="truncate">{tag}</span>
        </Link>
      ))}
      <span className={IN_ROW}>
        <button
          type="button"
          // biome-ignore lint/a11y/noAutofocus: Escape returns from the editor to the button that opened it.
          autoFocus={isEscaped}
          onClick={() => setEditing(true)}
          aria-label={item.tags.length === 0 ? tagTexts.addTo(item.name) : tagTexts.edit(item.name)}
          className={`${CHIP} hover:text-ink`}
        >
          <Tag className="size-3" aria-hidden />
          <span className="[tr_&]:[@media(hover:none)]:hidden">
            {item.tags.length === 0 ? tagTexts.add : tagTexts.change}
          </span>
        </button>
      </span>
    </div>
  )
}

/** Saves after each change, so that nothing is lost when it closes. */
function TagEditor({ kind, item, onClose }: { kind: TagKind; item: Tagged; onClose(byKey: boolean): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const known = useTags()
  const [tags, setTags] = useState(item.tags)
  const [text, setText] = useState('')
  const saveTags = async (changed: string[]) => {
    const before = tags
    setTags(changed)
    const call =
      kind === 'campaigns'
        ? api.campaigns.patch(item.id, { tags: changed })
        : kind === 'templates'
          ? api.templates.update(item.id, { tags: changed })
          : kind === 'segments'
            ? api.segments.update(item.id, { tags: changed })
            : api.workflows.update(item.id, { tags: changed })
    setBusy(true)
    const { error } = await call
    setBusy(false)
    if (error) {
      setTags(before)
      return toast.failed(error)
    }
    void queries.invalidateQueries({ queryKey: [projectId, kind] })
    void queries.invalidateQueries({ queryKey: [projectId, 'tags'] })
  }
  const addTag = (added = text) => {
    const tag = added.trim()
    setText('')
    if (tag && !tags.includes(tag)) void saveTags([...tags, tag])
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' || event.key === ',') {
      event.preventDefault()
      addTag()
    }
    if (event.key === 'Escape') onClose(true)
    // A key that is held down deletes the text, but no tags after it.
    if (event.key === 'Backspace' && !event.repeat && text === '' && tags.length > 0) void saveTags(tags.slice(0, -1))
  }
  return (
    <fieldset
      // A label in a row is above the link of the row. This one isn’t visible.
      className="relative z-10 flex flex-wrap items-center gap-1 [&_label]:absolute!"
      aria-label={tagTexts.edit(item.name)}
      onBlur={(event) => {
        if (event.currentTarget.contains(event.relatedTarget)) return
        addTag()
        onClose(false)
      }}
    >
      {tags.map((tag) => (
        <span key={tag} className={CHIP}>
          {tag}
          <button
            type="button"
            aria-label={tagTexts.remove(tag)}
            disabled={busy}
            onClick={() => void saveTags(tags.filter((other) => other !== tag))}
            className="rounded-full hover:text-ink"
          >
            <X className="size-3" aria-hidden />
          </button>
        </span>
      ))}
      <Combobox
        free
        autoFocus
        label={tagTexts.name}
        hideLabel
        placeholder={tagTexts.add}
        maxLength={50}
        value={text}
        choices={known.filter(({ tag }) => !tags.includes(tag)).map(({ tag }) => choiceOf(tag))}
        onChoose={setText}
        onPick={addTag}
        onKeyDown={handleKey}
        className="h-6! w-32! px-2! text-xs!"
      />
    </fieldset>
  )
}
