/** A text that is edited in place. Typing `{{` completes variables; the toolbar above the canvas formats the text. */
import { Editor } from '@tiptap/core'
import { TextSelection } from '@tiptap/pm/state'
import { useEffect, useId, useRef, useState } from 'react'
import type { TextNode } from '../document/document.ts'
import { useCanvas } from '../document/editing.ts'
import { fromDocument, isSafeUrl, type TextKind, textExtensions, toDocument } from './text-schema.ts'
import { matchVariables, VariableList } from './variables.tsx'

interface TextEditorProps {
  label: string
  placeholder: string
  kind: TextKind
  content: readonly TextNode[]
  /** Only the text of the selected block is reached with the Tab key. */
  isSelected: boolean
  onChange(content: TextNode[]): void
}

/** A variable that is being typed: where it starts, what follows the braces, and the highlighted option. */
interface Completion {
  from: number
  typed: string
  active: number
  left: number
  top: number
}

const TYPED_VARIABLE = /\{\{\s*([\p{L}\p{N}_.-]*)$/u

export function TextEditor({ label, placeholder, kind, content, isSelected, onChange }: TextEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(null)
  const listId = useId()
  const { variables, setActiveText } = useCanvas()
  const [completion, setCompletion] = useState<Completion>()
  const [isEmpty, setEmpty] = useState(content.length === 0)
  const options = completion ? matchVariables(variables, completion.typed) : []
  const revision = useRef(0)
  const current = `${JSON.stringify(content)}`

  const chooseVariable = (name: string) => {
    const text = editor.current
    if (!text || !completion) return
    const { from } = completion
    setCompletion(undefined)
    const to = text.state.selection.from
    text.chain().focus().insertContentAt({ from, to }, { type: 'variable', attrs: { name } }).run()
    showText(text, from)
  }
  const showText = (text: Editor, variableAt?: number) => {
    revision.current += 1
    setActiveText({ editor: text, kind, revision: revision.current, variableAt })
  }
  /** Returns whether the key was for the completion. */
  const handleCompletionKey = (key: string): boolean => {
    if (!completion || options.length === 0) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[key]
    if (step !== undefined) {
      const active = (completion.active + step + options.length) % options.length
      setCompletion({ ...completion, active })
    } else if (key === 'Enter' || key === 'Tab') chooseVariable(options[completion.active]!.name)
    else if (key === 'Escape') setCompletion(undefined)
    else return false
    return true
  }
  const findCompletion = (text: Editor) => {
    const { $from, empty } = text.state.selection
    const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '￼')
    const match = empty ? TYPED_VARIABLE.exec(before) : null
    if (!match) return setCompletion(undefined)
    const from = $from.pos - match[0].length
    const caret = text.view.coordsAtPos(from)
    const frame = host.current!.getBoundingClientRect()
    setCompletion({ from, typed: match[1]!, active: 0, left: caret.left - frame.left, top: caret.bottom - frame.top })
  }

  // The editor is created once and calls the functions of the latest render.
  const latest = useRef({ handleCompletionKey, findCompletion, showText, onChange, current })
  latest.current = { handleCompletionKey, findCompletion, showText, onChange, current }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new content is applied below
  useEffect(() => {
    const text: Editor = new Editor({
      element: host.current!,
      extensions: textExtensions(kind),
      content: toDocument(kind, content),
      injectCSS: false,
      editorProps: {
        attributes: { role: 'textbox', 'aria-multiline': String(kind !== 'line'), 'aria-label': label },
        handleKeyDown: (_, event) => {
          if (latest.current.handleCompletionKey(event.key)) return true
          if (event.key !== 'Escape') return false
          host.current?.closest<HTMLElement>('[data-block]')?.focus()
          return true
        },
        handleClickOn: (_view, _pos, node, at) => {
          if (node.type.name !== 'variable') return false
          latest.current.showText(text, at)
          return true
        },
        handlePaste: (view, event) => pasteUrl(view.state.selection.empty, text, event),
      },
      onUpdate: () => {
        const nodes = fromDocument(kind, text.getJSON() as TextNode)
        setEmpty(text.isEmpty)
        latest.current.onChange(nodes)
        latest.current.findCompletion(text)
        latest.current.showText(text)
      },
      onSelectionUpdate: () => {
        if (!text.isFocused) return
        latest.current.findCompletion(text)
        latest.current.showText(text)
      },
      onFocus: () => latest.current.showText(text),
      onBlur: () => setCompletion(undefined),
    })
    editor.current = text
    return () => {
      setActiveText(undefined)
      text.destroy()
    }
  }, [kind])

  // Undo, redo and other changes from outside replace the text; what was typed is already in it.
  useEffect(() => {
    const text = editor.current
    if (!text || JSON.stringify(fromDocument(kind, text.getJSON() as TextNode)) === current) return
    const { from } = text.state.selection
    text.commands.setContent(toDocument(kind, JSON.parse(current)), { emitUpdate: false })
    const { doc, tr } = text.state
    text.view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(Math.min(from, doc.content.size)))))
    setEmpty(text.isEmpty)
  }, [current, kind])

  // The element belongs to tiptap, so its attributes are set here.
  useEffect(() => {
    const element = editor.current?.view.dom
    if (!element) return
    element.tabIndex = isSelected ? 0 : -1
    element.setAttribute('aria-label', label)
    const active = completion && options[completion.active]
    element.setAttribute('aria-autocomplete', 'list')
    if (active) element.setAttribute('aria-activedescendant', `${listId}-${completion.active}`)
    else element.removeAttribute('aria-activedescendant')
  })

  return (
    <div className="relative">
      <div ref={host} data-text data-placeholder={isEmpty ? placeholder : undefined} className="email-text" />
      {completion && options.length > 0 && (
        <div
          className="absolute z-30 w-72 rounded-card border border-line bg-card font-sans text-ink shadow-float"
          style={{ left: Math.max(0, completion.left), top: completion.top + 4 }}
        >
          <VariableList id={listId} options={options} active={completion.active} onChoose={chooseVariable} />
        </div>
      )}
    </div>
  )
}

/** A URL that is pasted over a selected text becomes its link. */
function pasteUrl(isSelectionEmpty: boolean, text: Editor, event: ClipboardEvent): boolean {
  const url = event.clipboardData?.getData('text/plain').trim() ?? ''
  if (isSelectionEmpty || !isSafeUrl(url) || /\s/.test(url)) return false
  return text.chain().setMark('link', { href: url }).run()
}
