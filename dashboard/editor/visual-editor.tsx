/** The visual editor: block types, the canvas, and the properties of what is selected. */
import './email-editor.css'
import { Eye, Moon, Pencil, Redo2, Sun, Undo2 } from 'lucide-react'
import { type MouseEvent, type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { PosthornError } from '../data/api.ts'
import { useProject } from '../data/project.ts'
import { WidthSwitch } from '../mail/width-switch.tsx'
import { IconButton } from '../ui/button.tsx'
import { BLOCK_TYPES, newBlock, titleOf } from './blocks/registry.ts'
import { Canvas } from './canvas.tsx'
import type { Block, BlockType, EmailDocument } from './document/document.ts'
import {
  type ActiveText,
  CanvasContext,
  type CanvasState,
  type DragSource,
  type Editing,
  EditingContext,
} from './document/editing.ts'
import * as edits from './document/edits.ts'
import type { DocumentHistory } from './document/use-document-history.ts'
import { lookOf } from './look.ts'
import { Palette } from './palette.tsx'
import { Panel } from './panel.tsx'
import { onShowBlock } from './show-block.ts'
import { TextToolbar } from './text/text-toolbar.tsx'
import { useVariables } from './text/variables.tsx'
import { texts } from './texts.ts'
import { useDragging } from './use-dragging.ts'
import { type FocusDirection, useEditorKeys } from './use-keys.ts'
import { useSelection } from './use-selection.ts'

const T = texts.editor

interface VisualEditorProps {
  history: DocumentHistory
  error: PosthornError | null
  /** The choice between the editors. */
  kinds: ReactNode
  preview: ReactNode
  /** For a document of which only the blocks are saved: the fields shown instead of the settings of an email. */
  settings?: ReactNode
  /** Adds what is around the canvas, such as the other part of a layout. */
  around?(canvas: ReactNode, isDark: boolean): ReactNode
}

/** On a screen this narrow, an email of full width can't be read, so it is shown as on a phone. */
const NARROW = '(max-width: 639px)'

export function VisualEditor({ history, error, kinds, preview, settings, around }: VisualEditorProps) {
  const { document, edit } = history
  const { brandColor, emailStyle } = useProject()
  const variables = useVariables()
  const selection = useSelection(document)
  const { active, blocks: selected } = selection
  const [activeText, setActiveText] = useState<ActiveText>()
  const [isPreview, setPreview] = useState(false)
  const [isPhone, setPhone] = useState(() => matchMedia(NARROW).matches)
  const [isDark, setDark] = useState(false)
  /** On a narrow screen the properties are below the canvas, and closed at first. */
  const [isPanelOpen, setPanelOpen] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  const frame = useRef<HTMLElement>(null)
  const area = useRef<HTMLDivElement>(null)
  const focusLater = useFocusLater(frame)
  const keepFocus = useKeptFocus(frame, area)

  /** Called when a part of the canvas gets the focus. A selection of several blocks stays until one is edited. */
  const select = (id: string | undefined) => {
    const isText = (globalThis.document.activeElement as HTMLElement | null)?.isContentEditable
    if (!isText) setActiveText(undefined)
    if (isText || !selected.some((one) => one.id === id)) selection.select(id)
  }
  /** Selects blocks and moves the focus to the first of them. */
  const show = (ids: readonly string[], target?: FocusTarget) => {
    selection.select(ids[0], ids.at(-1))
    focusLater(ids[0], target)
  }
  const insertBlock = (added: Block, place: edits.Place) => {
    const next = edits.insertBlocks(document, place, [added])
    edit(() => next)
    if (startsInForm(added)) setPanelOpen(true)
    show([added.id], startsInForm(added) ? 'label' : 'content')
    setAnnouncement(texts.announce.added(titleOf([added]), positionOf(next, added.id)))
  }
  const addBlock = (type: BlockType, place?: edits.Place) => {
    const added = newBlock(type)
    insertBlock(added, place ?? edits.placeForNew(document, selected.at(-1)?.id, added))
  }
  const moveTo = (moved: readonly Block[], place: edits.Place | undefined) => {
    const ids = idsOf(moved)
    const next = place ? edits.moveBlocks(document, ids, place) : document
    if (next === document) return setAnnouncement(texts.announce.notMoved(titleOf(moved)))
    edit(() => next)
    show(ids)
    setAnnouncement(texts.announce.moved(titleOf(moved), positionOf(next, ids[0]!)))
  }
  const moveSelected = (direction: edits.Direction) => {
    if (selected.length > 0) moveTo(selected, edits.placeTowards(document, idsOf(selected), direction))
  }
  const pasteBlocks = (copied: readonly Block[]) => {
    if (copied.length === 0 || !isKnown(copied)) return
    const pasted = edits.pasteBlocks(document, selected.at(-1)?.id, copied)
    edit(() => pasted.document)
    show(pasted.ids)
    setAnnouncement(texts.announce.pasted(titleOf(copied)))
  }
  const removeSelected = () => {
    if (selected.length === 0) return
    const at = edits.allBlocks(document).findIndex(({ id }) => id === selected[0]!.id)
    const next = edits.removeBlocks(document, idsOf(selected))
    const left = edits.allBlocks(next)
    const focused = left[Math.min(at, left.length - 1)]?.id
    edit(() => next)
    selection.select(focused)
    focusLater(focused)
    keepFocus()
    setAnnouncement(texts.announce.removed(titleOf(selected)))
  }
  const changeHistory = (change: () => boolean, done: string) => {
    if (!change()) return
    keepFocus()
    setAnnouncement(done)
  }
  const undo = () => changeHistory(history.undo, texts.announce.undone)
  const redo = () => changeHistory(history.redo, texts.announce.redone)
  const focusBlock = (to: FocusDirection) => {
    const all = edits.allBlocks(document)
    const at = all.findIndex(({ id }) => id === active)
    const next = all[{ previous: at - 1, next: at + 1, first: 0, last: all.length - 1 }[to]]
    if (next) show([next.id])
  }
  const extendTo = (id: string | undefined) => {
    if (id === undefined) return
    const extended = selection.extendTo(id)
    focusLater(extended.id)
    setAnnouncement(texts.announce.selected(extended.count))
  }
  /** Called before the text under the pointer gets the focus. */
  const handleMouseDown = (event: MouseEvent) => {
    const target = event.target as HTMLElement
    const id = target.closest<HTMLElement>('[data-block]')?.dataset.block
    if (!id || event.button !== 0) return
    if (event.shiftKey && active !== undefined && id !== active) {
      event.preventDefault()
      event.stopPropagation()
      extendTo(id)
    } else if (!event.shiftKey && selected.length > 1 && !target.closest('[data-drag]')) selection.select(id)
  }
  const dropBlock = (source: DragSource, place: edits.Place) => {
    if ('type' in source) addBlock(source.type, place)
    else moveTo(edits.blocksBetween(document, source.ids[0], source.ids.at(-1)), place)
  }
  const { drag, startDrag } = useDragging({ document, area, onDrop: dropBlock })
  const dragBlock = (event: PointerEvent, source: { type: BlockType } | { id: string }) => {
    if ('type' in source) return startDrag(event, source)
    const isSelected = selected.some(({ id }) => id === source.id)
    startDrag(event, { ids: isSelected ? idsOf(selected) : [source.id] })
  }
  useEditorKeys({
    frame,
    selected,
    onUndo: undo,
    onRedo: redo,
    onMove: moveSelected,
    onFocus: focusBlock,
    onExtend: (to) => extendTo(selection.neighborOf(to)),
    onEdit: () => {
      if (!active) return
      setPanelOpen(true)
      show([active], 'form')
    },
    onFormat: (to) => {
      if (to === 'text') activeText?.editor.commands.focus()
      else frame.current?.querySelector<HTMLElement>('[data-format] button:not(:disabled)')?.focus()
    },
    onDuplicate: () => pasteBlocks(selected),
    onRemove: removeSelected,
    onCopied: (isCut) => {
      if (isCut) removeSelected()
      setAnnouncement(isCut ? texts.announce.cut(titleOf(selected)) : texts.announce.copied(titleOf(selected)))
    },
    onPaste: pasteBlocks,
    onEscape: (from) => {
      if (from === 'field') return focusLater(active)
      if (selected.length > 1) return selection.select(active)
      selection.select(undefined)
      area.current?.focus()
    },
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: paths are those of the document that was sent
  const problems = useMemo(() => problemsOf(document, error), [error])
  const look = useMemo(
    () => lookOf({ ...emailStyle, ...document.settings }, brandColor),
    [emailStyle, document.settings, brandColor],
  )
  const showBlock = (id: string) => {
    setPreview(false)
    show([id])
  }
  // The functions of the latest render, so that the canvas isn't rendered again for each of them.
  const latest = useRef({ edit, select, dragBlock, pasteBlocks, showBlock })
  latest.current = { edit, select, dragBlock, pasteBlocks, showBlock }
  useEffect(() => onShowBlock((id) => latest.current.showBlock(id)), [])
  const canvas = useMemo<CanvasState>(
    () => ({
      look,
      isPhone,
      variables,
      update: (id, changes) =>
        latest.current.edit((now) => edits.updateBlock(now, id, changes), `${id}.${Object.keys(changes)[0]}`),
      select: (id) => latest.current.select(id),
      startDrag: (event, source) => latest.current.dragBlock(event, source),
      setActiveText,
    }),
    [look, isPhone, variables],
  )
  const editing: Editing = { document, selected, active, problems, drag, activeText, edit }
  return (
    <CanvasContext value={canvas}>
      <EditingContext value={editing}>
        <section
          ref={frame}
          data-own-history
          aria-label={T.label}
          className={`flex flex-col overflow-hidden rounded-card border border-line bg-card shadow-lift ${settings ? 'lg:h-[38rem]' : 'lg:h-[max(34rem,calc(100dvh-5rem))]'}`}
        >
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-3 py-2">
            {kinds}
            {/* On a phone, the tools are a row of their own that scrolls. */}
            <div
              className={`flex flex-1 items-center gap-x-3 gap-y-1.5 max-sm:order-last max-sm:-mx-3 max-sm:basis-[calc(100%+1.5rem)] max-sm:overflow-x-auto max-sm:pe-8 max-sm:ps-3 max-sm:py-0.5 max-sm:[mask-image:linear-gradient(to_right,black_calc(100%-2rem),transparent)] sm:flex-wrap ${isPreview ? 'max-sm:hidden' : ''}`}
            >
              <div className="flex gap-0.5">
                <IconButton label={T.undo} aria-keyshortcuts="Control+Z" disabled={!history.canUndo} onClick={undo}>
                  <Undo2 />
                </IconButton>
                <IconButton
                  label={T.redo}
                  aria-keyshortcuts="Control+Shift+Z"
                  disabled={!history.canRedo}
                  onClick={redo}
                >
                  <Redo2 />
                </IconButton>
              </div>
              {!isPreview && (
                <>
                  <TextToolbar />
                  <div className="ms-auto flex items-center gap-1">
                    <WidthSwitch phone={isPhone} onChange={setPhone} />
                    <IconButton label={isDark ? T.light : T.dark} onClick={() => setDark(!isDark)}>
                      {isDark ? <Sun /> : <Moon />}
                    </IconButton>
                  </div>
                </>
              )}
            </div>
            <button
              type="button"
              aria-pressed={isPreview}
              onClick={() => setPreview(!isPreview)}
              className="ms-auto flex h-8 items-center gap-1.5 rounded-part border border-line-strong px-2.5 text-sm font-medium hover:bg-panel [&_svg]:size-4"
            >
              {isPreview ? <Pencil aria-hidden /> : <Eye aria-hidden />} {isPreview ? T.edit : T.preview}
            </button>
          </div>
          {isPreview ? (
            <div className="flex min-h-0 flex-1 flex-col">{preview}</div>
          ) : (
            <div className="flex min-h-0 flex-1 max-lg:flex-col">
              <Palette onAdd={addBlock} />
              {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape does the same with the keyboard */}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same with the keyboard */}
              <div
                ref={area}
                tabIndex={-1}
                onMouseDownCapture={handleMouseDown}
                onClick={({ target, currentTarget }) => target === currentTarget && select(undefined)}
                className="min-w-0 flex-1 overflow-y-auto px-5 py-8 focus:outline-none max-lg:max-h-[70vh] max-lg:min-h-80"
                style={{ background: isDark ? '#0b0b0c' : look.background }}
              >
                {around ? around(<Canvas isDark={isDark} />, isDark) : <Canvas isDark={isDark} />}
              </div>
              <Panel
                onMove={moveSelected}
                onDuplicate={() => pasteBlocks(selected)}
                onRemove={removeSelected}
                onInsert={(blocks) => latest.current.pasteBlocks(blocks)}
                settings={settings}
                isOpen={isPanelOpen}
                onToggle={setPanelOpen}
              />
            </div>
          )}
          <p id="email-canvas-help" hidden>
            {T.help}
          </p>
          <p aria-live="polite" className="sr-only">
            {announcement}
          </p>
          {drag && (
            <div
              aria-hidden
              className="pointer-events-none fixed z-50 rounded-part border border-line bg-card px-3 py-1.5 text-sm font-medium shadow-float"
              style={{ left: drag.x + 12, top: drag.y + 8 }}
            >
              {drag.title}
            </div>
          )}
        </section>
      </EditingContext>
    </CanvasContext>
  )
}

/** Blocks whose text is in the form of their properties. */
const startsInForm = ({ type }: Block) => type === 'button'

const idsOf = (blocks: readonly Block[]) => blocks.map(({ id }) => id)

function positionOf(document: EmailDocument, id: string): string {
  const place = edits.placeOf(document, id)!
  const { blocks, owner } = edits.findList(document, place.list)!
  return owner
    ? texts.announce.inside(titleOf([owner]), place.index + 1, blocks.length)
    : texts.announce.position(place.index + 1, blocks.length)
}

/** The clipboard may contain anything. */
function isKnown(blocks: readonly Block[]): boolean {
  try {
    return edits.allBlocks({ blocks }).every(({ type }) => BLOCK_TYPES.includes(type))
  } catch {
    return false
  }
}

/** The API names fields by their path; a problem is shown at the innermost block of that path. */
function problemsOf(document: EmailDocument, error: PosthornError | null): Map<string, string> {
  const problems = new Map<string, string>()
  for (const { field, message } of error?.errors ?? []) {
    const [first, ...path] = field.split('.')
    if (first !== 'document') continue
    let value: unknown = document
    let id: string | undefined
    for (const key of path) {
      value = (value as Record<string, unknown> | undefined)?.[key]
      const { type, id: blockId } = (value ?? {}) as Partial<Block>
      if (type && blockId) id = blockId
    }
    if (id) problems.set(id, message)
  }
  return problems
}

type FocusTarget = 'block' | 'content' | 'form' | 'label'

/** Moves the focus once the change is on the page: to a block, its text, the form of its properties, or the text in that. */
function useFocusLater(frame: React.RefObject<HTMLElement | null>) {
  const wanted = useRef<{ id: string; target: FocusTarget }>(undefined)
  const [, rerender] = useState(0)
  useEffect(() => {
    const { id, target } = wanted.current ?? {}
    const block = id && frame.current?.querySelector<HTMLElement>(`[data-block="${id}"]`)
    if (!block) return // not before the render that adds it
    wanted.current = undefined
    const text = block.querySelector<HTMLElement>('[data-text] [contenteditable]')
    const isOwnText = text?.closest('[data-block]') === block
    const field = frame.current?.querySelector<HTMLElement>('[data-panel] :is(input, select, textarea):not(.hidden)')
    if (target === 'label' && field instanceof HTMLInputElement) field.select()
    if (target !== 'block' && isOwnText) text?.focus()
    else if ((target === 'form' || target === 'label') && field) field.focus()
    else block.focus()
    block.scrollIntoView({ block: 'nearest' })
  })
  return (id: string | undefined, target: FocusTarget = 'block') => {
    wanted.current = id === undefined ? undefined : { id, target }
    rerender((count) => count + 1)
  }
}

/** After a change that removes or disables what has the focus, moves it to the canvas instead of losing it. */
function useKeptFocus(frame: React.RefObject<HTMLElement | null>, area: React.RefObject<HTMLElement | null>) {
  const isChanged = useRef(false)
  useEffect(() => {
    if (!isChanged.current) return
    isChanged.current = false
    const { activeElement } = document
    if (!frame.current?.contains(activeElement) || activeElement?.matches(':disabled')) area.current?.focus()
  })
  return () => {
    isChanged.current = true
  }
}
