/** The tools over the graph: undo, redo, tidy, simulation and versions. */
import { FlaskConical, History, Redo2, Undo2, WandSparkles } from 'lucide-react'
import { IconButton } from '../../../parts/button.tsx'
import type { Workflow } from '../steps/step.ts'
import { texts } from '../texts.ts'
import { tidy } from './graph-edits.ts'
import type { DraftEditor } from './use-draft-graph.ts'

const T = texts.tools

export type Tool = 'simulate' | 'versions'

interface EditorToolsProps {
  workflow: Workflow
  draft: DraftEditor
  open: Tool | undefined
  onOpen(tool: Tool | undefined): void
}

export function EditorTools({ draft, open, onOpen }: EditorToolsProps) {
  const toggle = (tool: Tool) => onOpen(open === tool ? undefined : tool)
  return (
    <div
      role="toolbar"
      aria-label={T.label}
      className="absolute top-3 left-3 z-5 flex gap-0.5 rounded-card border border-line bg-card p-1 shadow-lift [&_button]:size-9"
    >
      <IconButton label={T.undo} disabled={!draft.canUndo} onClick={draft.undo}>
        <Undo2 />
      </IconButton>
      <IconButton label={T.redo} disabled={!draft.canRedo} onClick={draft.redo}>
        <Redo2 />
      </IconButton>
      <span className="mx-1 w-px bg-line" aria-hidden />
      <IconButton label={T.tidy} disabled={draft.graph.steps.length === 0} onClick={() => draft.edit(tidy)}>
        <WandSparkles />
      </IconButton>
      <IconButton label={T.simulate} aria-pressed={open === 'simulate'} onClick={() => toggle('simulate')}>
        <FlaskConical />
      </IconButton>
      <IconButton label={T.versions} aria-pressed={open === 'versions'} onClick={() => toggle('versions')}>
        <History />
      </IconButton>
    </div>
  )
}
