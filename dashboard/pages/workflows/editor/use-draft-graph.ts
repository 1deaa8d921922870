/**
 * The draft of a graph while it is edited: its history for undo and redo, and saving. Every change is saved on the server
 * shortly after it was made, so that nothing is lost when the page is left. It has no effect until it is published.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { PosthornError, Schemas } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { useUnsaved } from '../../../data/unsaved.tsx'
import { useStepWithInvalidText } from '../steps/fields.tsx'
import type { Workflow } from '../steps/step.ts'
import { changesOf, type DraftGraph } from './graph-edits.ts'

export type Draft = Schemas['WorkflowDraft']
type Problem = Draft['problems'][number]

const SAVE_AFTER_MS = 500
const HISTORY_MAX = 200

export type SaveState = 'saved' | 'saving' | 'failed' | 'conflict'

interface History {
  past: DraftGraph[]
  present: DraftGraph
  future: DraftGraph[]
  /** Changes with the same key are undone together, such as the letters of a word. */
  key: string | undefined
}

interface Saving {
  graph: DraftGraph
  isChanged: boolean
  /** Absent if the graph has to be saved even if it is the same. */
  saved: DraftGraph | undefined
  version: number
  /** Another window has saved the draft. */
  hasConflict: boolean
}

export const draftKey = (projectId: string, id: string) => [projectId, 'workflows', id, 'draft']
export const workflowKey = (projectId: string, id: string) => [projectId, 'workflows', id]

const graphOf = ({ steps, transitions, executions }: Draft): DraftGraph =>
  ({ steps, transitions, executions }) as unknown as DraftGraph

export type PublishResult =
  | { published: true }
  | { published: false; error?: PosthornError; occupied?: { stepId: string; contacts: number }[] }

export type DraftEditor = ReturnType<typeof useDraftGraph>

export function useDraftGraph(workflow: Workflow, loaded: Draft) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const [history, setHistory] = useState<History>(() => ({
    past: [],
    present: graphOf(loaded),
    future: [],
    key: undefined,
  }))
  const [saveState, setSaveState] = useState<SaveState>('saved')
  const [problems, setProblems] = useState<Problem[]>(loaded.problems)
  const [isOutdated, setOutdated] = useState(loaded.outdated)
  const graph = history.present
  const changes = useMemo(() => changesOf(workflow as unknown as DraftGraph, graph), [workflow, graph])

  // What is being saved outlives single renders: saves run one after the other, each with the latest graph.
  const current = useRef<Saving>({
    graph,
    isChanged: changes.any,
    saved: graph,
    version: loaded.version,
    hasConflict: false,
  })
  current.current.graph = graph
  current.current.isChanged = changes.any
  const running = useRef<Promise<boolean>>(undefined)

  const saveAll = useCallback(async (): Promise<boolean> => {
    const state = current.current
    while (state.graph !== state.saved) {
      const { graph, isChanged, version } = state
      setSaveState('saving')
      if (!isChanged && version > 0) {
        // Saved first, because only that notices what another window has saved.
        const checked = await api.workflows.draft.save(workflow.id, { ...graph, version })
        if (checked.error) return fail(checked.error.statusCode === 409 ? 'conflict' : 'failed')
        state.version = checked.data.version
        const { error } = await api.workflows.draft.discard(workflow.id)
        if (error) return fail('failed')
        state.version = 0
        setProblems([])
        setOutdated(false)
      } else if (isChanged) {
        const { data, error } = await api.workflows.draft.save(workflow.id, { ...graph, version })
        if (error) return fail(error.statusCode === 409 ? 'conflict' : 'failed')
        state.version = data.version
        setProblems(data.problems)
        setOutdated(data.outdated)
      }
      state.saved = graph
    }
    setSaveState('saved')
    return true

    function fail(reason: SaveState): boolean {
      state.hasConflict = reason === 'conflict'
      setSaveState(reason)
      return false
    }
  }, [api, workflow.id])

  /** Saves what is not saved yet. False if that failed. */
  const flush = useCallback((): Promise<boolean> => {
    running.current ??= saveAll().finally(() => {
      running.current = undefined
    })
    return running.current
  }, [saveAll])

  useEffect(() => {
    // Until it is decided which changes to keep, nothing is saved.
    if (graph === current.current.saved || current.current.hasConflict) return
    const timer = setTimeout(() => void flush(), SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [graph, flush])

  const invalidStep = useStepWithInvalidText(graph.steps.map(({ id }) => id))
  const isUnsaved = () => current.current.graph !== current.current.saved
  const forget = () => {
    current.current.saved = current.current.graph
  }
  // Leaving the page saves first. If that isn't possible, leaving must be confirmed.
  useBlocker({ shouldBlockFn: async () => isUnsaved() && !(await flush()), enableBeforeUnload: isUnsaved })
  useUnsaved(saveState === 'failed' || saveState === 'conflict' || invalidStep !== undefined, forget)

  const edit = useCallback((change: (graph: DraftGraph) => DraftGraph, key?: string) => {
    setHistory((before) => {
      const present = change(before.present)
      if (present === before.present) return before
      const merged = key !== undefined && key === before.key
      const past = merged ? before.past : [...before.past.slice(1 - HISTORY_MAX), before.present]
      return { past, present, future: [], key }
    })
  }, [])
  const undo = useCallback(() => {
    setHistory((before) => {
      const present = before.past.at(-1)
      if (!present) return before
      return { past: before.past.slice(0, -1), present, future: [before.present, ...before.future], key: undefined }
    })
  }, [])
  const redo = useCallback(() => {
    setHistory((before) => {
      const [present, ...future] = before.future
      return present ? { past: [...before.past, before.present], present, future, key: undefined } : before
    })
  }, [])

  const publish = async (
    executions = graph.executions,
    waiting: Record<string, 'keep' | 'apply'> = {},
  ): Promise<PublishResult> => {
    if (!(await flush())) return { published: false } // the page shows why
    const request = {
      steps: graph.steps,
      transitions: graph.transitions,
      executions,
      waiting,
      revision: workflow.revision,
    }
    const { data, error } = await api.workflows.replaceGraph(workflow.id, request)
    if (error) {
      if (error.errors) setProblems(error.errors.map((one) => ({ ...one, code: one.code ?? '' })))
      const occupied = error.details?.steps as { stepId: string; contacts: number }[] | undefined
      return { published: false, error, ...(occupied ? { occupied } : {}) }
    }
    current.current.version = 0
    setProblems([])
    setOutdated(false)
    queries.setQueryData(workflowKey(projectId, workflow.id), data)
    edit((before) => (Object.keys(before.executions).length === 0 ? before : { ...before, executions: {} }))
    void queries.invalidateQueries({ queryKey: [projectId, 'workflows'] })
    return { published: true }
  }

  return {
    graph,
    changes,
    /** The published graph was changed after the draft was started. */
    isOutdated,
    problems,
    saveState,
    edit,
    /** The first step with a text that isn't valid JSON, and therefore isn't part of the draft. */
    invalidStep,
    undo,
    redo,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    flush,
    publish,
    /** Saves the draft of this window over that of the other one. */
    saveOver: async () => {
      const { data } = await api.workflows.draft.get(workflow.id)
      if (!data) return
      current.current.version = data.version
      current.current.saved = undefined
      current.current.hasConflict = false
      await flush()
    },
    /** Loads the draft of the other window and gives up the unsaved changes of this one. */
    reload: () => {
      forget()
      window.location.reload()
    },
  }
}
