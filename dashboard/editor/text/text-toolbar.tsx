/** Formats the text that has the focus: styles, color, lists, alignment, links and variables. */
import type { Editor } from '@tiptap/core'
import {
  Baseline,
  Bold,
  Braces,
  Italic,
  Link as LinkIcon,
  List,
  ListOrdered,
  type LucideIcon,
  Strikethrough,
  Underline,
} from 'lucide-react'
import { Popover } from 'radix-ui'
import { type ReactNode, useEffect, useState } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import type { Align } from '../document/document.ts'
import { type ActiveText, useCanvas, useEditing } from '../document/editing.ts'
import { findBlock } from '../document/edits.ts'
import { ALIGNS } from '../fields.tsx'
import { alignOf } from '../look.ts'
import { texts } from '../texts.ts'
import { isSafeUrl, toUrl, VARIABLE_NAME } from './text-schema.ts'
import { matchVariables, type VariableOption } from './variables.tsx'

const T = texts.format

const MARKS: { name: string; label: string; keys: string; icon: LucideIcon }[] = [
  { name: 'bold', label: T.bold, keys: 'Control+B', icon: Bold },
  { name: 'italic', label: T.italic, keys: 'Control+I', icon: Italic },
  { name: 'underline', label: T.underline, keys: 'Control+U', icon: Underline },
  { name: 'strike', label: T.strike, keys: 'Control+Shift+S', icon: Strikethrough },
]

const LISTS: { name: string; label: string; icon: LucideIcon }[] = [
  { name: 'bulletList', label: T.bulletList, icon: List },
  { name: 'orderedList', label: T.orderedList, icon: ListOrdered },
]

type Open = 'link' | 'variable' | 'color' | undefined

export function TextToolbar() {
  const { activeText } = useEditing()
  const { variables } = useCanvas()
  const [open, setOpen] = useState<Open>()
  const variableAt = activeText?.variableAt
  const revision = activeText?.revision
  // biome-ignore lint/correctness/useExhaustiveDependencies: choosing the same variable again opens it again
  useEffect(() => {
    if (variableAt !== undefined) setOpen('variable')
  }, [variableAt, revision])
  const editor = activeText?.editor
  const close = () => {
    setOpen(undefined)
    editor?.commands.focus()
  }
  const popover = (name: Exclude<Open, undefined>, label: string, icon: LucideIcon, content: ReactNode) => (
    <ToolPopover
      label={label}
      icon={icon}
      isActive={name === 'link' && isActive(editor, 'link')}
      isDisabled={!editor}
      isOpen={open === name}
      onOpen={() => setOpen(name)}
      onClose={close}
    >
      {content}
    </ToolPopover>
  )
  return (
    <div role="toolbar" aria-label={T.label} data-format className="flex items-center gap-0.5 sm:flex-wrap">
      {MARKS.map(({ name, label, keys, icon: Icon }) => (
        <FormatButton
          key={name}
          label={label}
          keys={keys}
          isPressed={isActive(editor, name)}
          isDisabled={!editor}
          onPress={() => editor?.chain().focus().toggleMark(name).run()}
        >
          <Icon />
        </FormatButton>
      ))}
      {popover('color', T.color, Baseline, editor && <ColorForm editor={editor} onClose={close} />)}
      {popover('link', T.link, LinkIcon, editor && <LinkForm editor={editor} onClose={close} />)}
      {LISTS.map(({ name, label, icon: Icon }) => (
        <FormatButton
          key={name}
          label={label}
          isPressed={isActive(editor, name)}
          isDisabled={activeText?.kind !== 'text'}
          onPress={() => editor?.chain().focus().toggleList(name, 'listItem').run()}
        >
          <Icon />
        </FormatButton>
      ))}
      <AlignButtons />
      {popover(
        'variable',
        T.variable,
        Braces,
        activeText && (
          <VariableForm key={activeText.variableAt} text={activeText} options={variables} onClose={close} />
        ),
      )}
    </div>
  )
}

/** Aligns the selected paragraphs, or a heading, which is one line. */
function AlignButtons() {
  const { activeText, document, active } = useEditing()
  const { update } = useCanvas()
  const block = activeText && findBlock(document, active)
  const own = activeText?.kind === 'line' ? null : activeText?.editor.getAttributes('paragraph').textAlign
  const setAlign = (next: Align) => {
    if (!block) return
    const { align, fallback } = alignOf(block)
    if (activeText.kind === 'line') return update(block.id, { align: next === fallback ? undefined : next })
    const textAlign = next === align ? null : next
    activeText.editor.chain().focus().updateAttributes('paragraph', { textAlign }).run()
  }
  return ALIGNS.map(({ value, icon: Icon }) => (
    <FormatButton
      key={value}
      label={T.aligns[value]}
      isPressed={block !== undefined && (own ?? alignOf(block).align) === value}
      isDisabled={!block}
      onPress={() => setAlign(value)}
    >
      <Icon />
    </FormatButton>
  ))
}

const isActive = (editor: Editor | undefined, name: string) => editor?.isActive(name) ?? false

interface FormatButtonProps {
  label: string
  keys?: string
  isPressed: boolean
  isDisabled: boolean
  onPress(): void
  children: ReactNode
}

const FormatButton = ({ label, keys, isPressed, isDisabled, onPress, children }: FormatButtonProps) => (
  <IconButton
    label={label}
    aria-keyshortcuts={keys}
    aria-pressed={isPressed}
    disabled={isDisabled}
    className={isPressed ? 'bg-panel text-ink' : ''}
    // The text keeps its selection.
    onPointerDown={(event) => event.preventDefault()}
    onClick={onPress}
  >
    {children}
  </IconButton>
)

interface ToolPopoverProps {
  label: string
  icon: LucideIcon
  isActive: boolean
  isDisabled: boolean
  isOpen: boolean
  onOpen(): void
  onClose(): void
  children: ReactNode
}

const ToolPopover = ({
  label,
  icon: Icon,
  isActive,
  isDisabled,
  isOpen,
  onOpen,
  onClose,
  children,
}: ToolPopoverProps) => (
  <Popover.Root open={isOpen && !isDisabled} onOpenChange={(open) => (open ? onOpen() : onClose())}>
    <Popover.Trigger asChild>
      <IconButton label={label} disabled={isDisabled} className={isActive || isOpen ? 'bg-panel text-ink' : ''}>
        <Icon />
      </IconButton>
    </Popover.Trigger>
    <Popover.Portal>
      <Popover.Content
        aria-label={label}
        sideOffset={6}
        align="start"
        data-appear
        onCloseAutoFocus={(event) => event.preventDefault()}
        className="z-50 w-72 rounded-card border border-line bg-card p-3.5 shadow-float"
      >
        {children}
      </Popover.Content>
    </Popover.Portal>
  </Popover.Root>
)

function LinkForm({ editor, onClose }: { editor: Editor; onClose(): void }) {
  const [url, setUrl] = useState(() => (editor.getAttributes('link').href as string | undefined) ?? '')
  const [error, setError] = useState<string>()
  const hasLink = editor.isActive('link')
  const setLink = () => {
    const href = toUrl(url)
    if (!isSafeUrl(href)) return setError(T.linkError)
    const { from, to, empty } = editor.state.selection
    const chain = editor.chain().focus()
    if (empty && !hasLink)
      chain.insertContent({ type: 'text', text: url, marks: [{ type: 'link', attrs: { href } }] }).run()
    else if (empty) chain.extendMarkRange('link').setMark('link', { href }).setTextSelection({ from, to }).run()
    else chain.setMark('link', { href }).run()
    onClose()
  }
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        setLink()
      }}
    >
      <Input
        label={T.linkUrl}
        value={url}
        error={error}
        placeholder="https://"
        autoFocus
        onChange={(event) => setUrl(event.target.value)}
      />
      <div className="flex gap-2">
        <Button kind="primary" type="submit">
          {T.setLink}
        </Button>
        {hasLink && (
          <Button
            kind="quiet"
            onClick={() => {
              editor.chain().focus().extendMarkRange('link').unsetMark('link').run()
              onClose()
            }}
          >
            {T.removeLink}
          </Button>
        )}
      </div>
    </form>
  )
}

const COLORS = ['#111827', '#6b7280', '#b91c1c', '#b45309', '#15803d', '#1d4ed8', '#7e22ce', '#be185d']

function ColorForm({ editor, onClose }: { editor: Editor; onClose(): void }) {
  const color = (editor.getAttributes('textStyle').color as string | undefined) ?? ''
  const setColor = (next: string) => {
    editor.chain().focus().setColor(next).run()
    onClose()
  }
  return (
    <div className="space-y-3">
      <div className="grid grid-cols-8 gap-1.5">
        {COLORS.map((one) => (
          <button
            key={one}
            type="button"
            aria-label={T.colorName(one)}
            aria-pressed={color === one}
            title={one}
            className="size-6 rounded-full border border-line-strong"
            style={{ backgroundColor: one }}
            onClick={() => setColor(one)}
          />
        ))}
      </div>
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          setColor(String(new FormData(event.currentTarget).get('color')))
        }}
      >
        <div className="flex-1">
          <Input label={T.ownColor} name="color" type="color" className="p-1" defaultValue={color || COLORS[0]} />
        </div>
        <Button type="submit">{T.setColor}</Button>
      </form>
      {color && (
        <Button
          kind="quiet"
          onClick={() => {
            editor.chain().focus().unsetColor().removeEmptyTextStyle().run()
            onClose()
          }}
        >
          {T.removeColor}
        </Button>
      )}
    </div>
  )
}

interface VariableFormProps {
  text: ActiveText
  options: readonly VariableOption[]
  onClose(): void
}

/** Inserts a variable, or changes the one at `variableAt`. */
function VariableForm({ text: { editor, variableAt }, options, onClose }: VariableFormProps) {
  const node = variableAt === undefined ? null : editor.state.doc.nodeAt(variableAt)
  const existing = node?.type.name === 'variable' ? node.attrs : undefined
  const [name, setName] = useState<string>(existing?.name ?? '')
  const [fallback, setFallback] = useState<string>(existing?.fallback ?? '')
  const [error, setError] = useState<string>()
  const setVariable = () => {
    if (!VARIABLE_NAME.test(name)) return setError(T.variableError)
    const attrs = { name, fallback: fallback || null }
    const chain = editor.chain().focus()
    if (existing) chain.insertContentAt({ from: variableAt!, to: variableAt! + 1 }, { type: 'variable', attrs }).run()
    else chain.insertContent({ type: 'variable', attrs }).run()
    onClose()
  }
  const suggestions = existing ? [] : matchVariables(options, name).filter((one) => one.name !== name)
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault()
        setVariable()
      }}
    >
      <Input
        label={T.variableName}
        value={name}
        error={error}
        placeholder="firstName"
        autoFocus={!existing}
        spellCheck={false}
        autoComplete="off"
        className="font-mono"
        onChange={(event) => setName(event.target.value)}
      />
      {suggestions.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {suggestions.map((one) => (
            <li key={one.name}>
              <button
                type="button"
                title={one.description}
                className="rounded-part border border-line px-2 py-0.5 font-mono text-xs hover:bg-panel"
                onClick={() => setName(one.name)}
              >
                {one.name}
              </button>
            </li>
          ))}
        </ul>
      )}
      <Input
        label={T.fallback}
        hint={T.fallbackHint}
        value={fallback}
        autoFocus={existing !== undefined}
        maxLength={200}
        onChange={(event) => setFallback(event.target.value)}
      />
      <div className="flex gap-2">
        <Button kind="primary" type="submit">
          {existing ? T.setVariable : T.insertVariable}
        </Button>
        {existing && (
          <Button
            kind="quiet"
            onClick={() => {
              editor
                .chain()
                .focus()
                .deleteRange({ from: variableAt!, to: variableAt! + 1 })
                .run()
              onClose()
            }}
          >
            {T.removeVariable}
          </Button>
        )}
      </div>
    </form>
  )
}
