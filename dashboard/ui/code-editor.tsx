/** CodeMirror for HTML with Liquid, and for JSON. It is large, so pages load it on demand. */
import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands'
import { html } from '@codemirror/lang-html'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { historyKey } from '../editor/document/history.ts'

const LOOK = EditorView.theme({
  '&': { backgroundColor: 'var(--card)', color: 'var(--ink)', height: '100%', fontSize: '0.8125rem' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.65' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--card)', color: 'var(--soft)', border: 'none', paddingLeft: '0.5rem' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--panel)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-wash) !important' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': { backgroundColor: 'var(--card)', border: '1px solid var(--line)', borderRadius: '0.5rem' },
  '.cm-liquid': {
    color: 'var(--accent)',
    backgroundColor: 'var(--accent-wash)',
    borderRadius: '3px',
    padding: '1px 0',
  },
})

const COLORS = HighlightStyle.define([
  { tag: [tags.tagName, tags.propertyName], color: 'var(--info)' },
  { tag: tags.attributeName, color: 'var(--good)' },
  { tag: [tags.string, tags.attributeValue], color: 'var(--warn)' },
  { tag: [tags.comment, tags.angleBracket], color: 'var(--soft)' },
  { tag: [tags.number, tags.bool, tags.keyword], color: 'var(--bad)' },
])

const liquid = new MatchDecorator({
  regexp: /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g,
  decoration: Decoration.mark({ class: 'cm-liquid' }),
})
const markLiquid = ViewPlugin.define(
  (view) => ({
    decorations: liquid.createDeco(view),
    update(update: ViewUpdate) {
      this.decorations = liquid.updateDeco(update, this.decorations)
    },
  }),
  { decorations: (plugin) => plugin.decorations },
)

interface EditorProps {
  label: string
  language: 'html' | 'json'
  /** The initial text. A new value, or the same with a new `revision`, replaces the document; undo brings it back. */
  start: string
  revision?: number | undefined
  onChange(text: string): void
  /** Undo and redo of the page, instead of those of the text alone. */
  steps?: { undo(): unknown; redo(): unknown } | undefined
}

export function CodeEditor({ label, language, start, revision = 0, onChange, steps }: EditorProps) {
  const container = useRef<HTMLDivElement>(null)
  const notify = useRef(onChange)
  notify.current = onChange
  const editor = useRef<EditorView>(null)
  const initial = useRef(start)
  const latestSteps = useRef(steps)
  latestSteps.current = steps

  useEffect(() => {
    const view = new EditorView({
      parent: container.current!,
      state: EditorState.create({
        doc: initial.current,
        extensions: [
          lineNumbers(),
          ...(latestSteps.current ? [stepKeys(() => latestSteps.current)] : [history()]),
          drawSelection(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          autocompletion(),
          highlightActiveLine(),
          keymap.of([...defaultKeymap, ...historyKeymap, ...completionKeymap, indentWithTab]),
          ...(language === 'html' ? [html(), markLiquid] : [json()]),
          syntaxHighlighting(COLORS),
          LOOK,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) notify.current(update.state.doc.toString())
          }),
        ],
      }),
    })
    editor.current = view
    return () => view.destroy()
  }, [label, language])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision replaces the text even if `start` is the same
  useEffect(() => {
    const view = editor.current
    if (!view || view.state.doc.toString() === start) return
    const changes = changedPart(view.state.doc.toString(), start)
    view.dispatch({ changes, annotations: isolateHistory.of('full') })
  }, [start, revision])

  return <div ref={container} className="h-full min-h-64 overflow-hidden" />
}

/** Not as a key map, which takes a Z with both Caps Lock and Shift for undo. */
const stepKeys = (steps: () => EditorProps['steps']) =>
  EditorView.domEventHandlers({
    keydown(event) {
      const direction = historyKey(event)
      if (!direction) return false
      event.preventDefault()
      steps()?.[direction]()
      return true
    },
  })

/** Only what differs is replaced, so that the caret stays where it is. */
function changedPart(before: string, after: string) {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) }
}
