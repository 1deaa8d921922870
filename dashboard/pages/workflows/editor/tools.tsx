/** The tools over the graph: undo, redo, tidy, simulation and versions. */
import { FlaskConical, History, Redo2, Undo2, WandSparkles } from 'lucide-react'
import { Button, IconButton } from '../../../ui/button.tsx'
import type { Workflow } from '../steps/step.ts'
import { texts } from '../texts.ts'
import { tidy } from './graph-edits.ts'
import type { DraftEditor } from './use-draft-graph.ts'

const T = texts.tools

export type Tool = 'simulate' | 'versions'

const PANELS = [
  { tool: 'simulate', label: T.simulate, text: T.simulateShort, icon: FlaskConical },
  { tool: 'versions', label: T.versions, text: T.versionsShort, icon: History },
] as const

interface EditorToolsProps {
  workflow: Workflow
  draft: DraftEditor
  open: Tool | undefined
  /** On a narrow screen, the tools would cover the step that the panel is about. */
  isPanelOpen: boolean
  onOpen(tool: Tool | undefined): void
}

export function EditorTools({ draft, open, isPanelOpen, onOpen }: EditorToolsProps) {
  const toggle = (tool: Tool) => onOpen(open === tool ? undefined : tool)
  return (
    <div
      role="toolbar"
      aria-label={T.label}
      className={`absolute top-3 start-3 z-5 flex gap-0.5 rounded-card border border-line bg-card p-1 shadow-lift [&_button]:h-9 ${isPanelOpen ? 'max-lg:hidden' : ''}`}
    >
      <IconButton label={T.undo} className="w-9" disabled={!draft.canUndo} onClick={draft.undo}>
        <Undo2 />
      </IconButton>
      <IconButton label={T.redo} className="w-9" disabled={!draft.canRedo} onClick={draft.redo}>
        <Redo2 />
      </IconButton>
      <span className="mx-1 w-px bg-line" aria-hidden />
      <Button
        kind="quiet"
        className="px-2.5!"
        aria-label={T.tidy}
        title={T.tidy}
        disabled={draft.graph.steps.length === 0}
        onClick={() => draft.edit(tidy)}
      >
        <WandSparkles aria-hidden /> <span className="max-lg:hidden">{T.tidyShort}</span>
      </Button>
      {PANELS.map(({ tool, label, text, icon: Icon }) => (
        <Button
          key={tool}
          kind="quiet"
          className="px-2.5!"
          aria-label={label}
          aria-pressed={open === tool}
          onClick={() => toggle(tool)}
        >
          <Icon aria-hidden /> {text}
        </Button>
      ))}
    </div>
  )
}
