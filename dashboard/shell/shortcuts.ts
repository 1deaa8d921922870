/**
 * Keyboard shortcuts of every project page. Single keys work only outside of fields and dialogs. Pages mark the elements
 * that shortcuts use: `data-shortcut` for the search field and the save button, `data-row-link` for the rows of a list.
 */
import { useEffect } from 'react'
import { projectPage } from '../addresses.ts'
import { useProjectId } from '../data/project.ts'
import { useNavigate } from '../links.tsx'
import { DESTINATIONS } from '../navigation.ts'

const SEQUENCE_MS = 1_500

/** "Ctrl K", or "⌘K" on a Mac. */
export const modKey = (key: string): string => (/Mac|iPhone|iPad/.test(navigator.userAgent) ? `⌘${key}` : `Ctrl ${key}`)

interface ShortcutActions {
  togglePalette(): void
  openHelp(): void
}

export function useShortcuts({ togglePalette, openHelp }: ShortcutActions): void {
  const projectId = useProjectId()
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions only set state.
  useEffect(() => {
    let pressedGAt = 0
    const goTo = (key: string) => {
      const destination = DESTINATIONS.flat().find((one) => one.key === key)
      if (destination) void navigate(projectPage(projectId, destination.page))
      return destination !== undefined
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return
      const key = event.key.toLowerCase()
      if (event.ctrlKey || event.metaKey) {
        if (key === 'k') {
          event.preventDefault()
          togglePalette()
        } else if (key === 's' && press('save')) event.preventDefault()
        else if (key === 'enter' && submitForm()) event.preventDefault()
        return
      }
      if (isTyping() || document.querySelector('[role=dialog], [role=menu]')) return
      const follows = Date.now() - pressedGAt < SEQUENCE_MS
      pressedGAt = 0
      if (follows && goTo(key)) event.preventDefault()
      else if (key === 'g') pressedGAt = Date.now()
      else if (key === '?') openHelp()
      else if (key === '/') {
        event.preventDefault()
        if (!focusSearch()) togglePalette()
      } else if (handleListKey(key)) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [projectId])
}

function isTyping(): boolean {
  const focused = document.activeElement
  if (focused instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(focused.type)
  return focused instanceof HTMLElement && (focused.isContentEditable || /^(TEXTAREA|SELECT)$/.test(focused.tagName))
}

/** Presses the button with this shortcut. The browser's own meaning of the keys is prevented even while it is disabled. */
function press(shortcut: string): boolean {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>(`button[data-shortcut="${shortcut}"]`)]
  const button = buttons.filter((one) => one.checkVisibility()).at(-1)
  button?.click()
  return button !== undefined
}

/** Submits the form that has the focus, or saves the page. */
function submitForm(): boolean {
  const form = document.activeElement?.closest('form')
  if (!form) return press('save')
  form.requestSubmit()
  return true
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[data-shortcut="search"]')
  field?.focus()
  field?.select()
  return field !== null
}

/** J and K move between the rows of a list, the arrow keys once a row has the focus, and X selects it. */
function handleListKey(key: string): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row-link]')].filter((row) =>
    row.checkVisibility(),
  )
  const at = rows.findIndex((row) => row.closest('tr, li')?.contains(document.activeElement))
  if (at >= 0 && key === 'x') {
    const box = rows[at]!.closest('tr, li')?.querySelector<HTMLInputElement>('input[type=checkbox]')
    box?.click()
    return box !== null
  }
  const step = { j: 1, k: -1, ...(at >= 0 ? { arrowdown: 1, arrowup: -1 } : {}) }[key]
  if (step === undefined || rows.length === 0) return false
  const next = at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))
  rows[next]!.focus()
  rows[next]!.closest('tr, li')?.scrollIntoView({ block: 'nearest' })
  return true
}
