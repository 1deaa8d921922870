/** Fields that the forms of several step types use. */
import { createContext, useContext, useState, useSyncExternalStore } from 'react'
import { TextArea } from '../../../ui/field.tsx'
import { texts } from '../texts.ts'
import type { Config, StepFormProps } from './step.ts'

export const configSetter =
  ({ draft, set }: StepFormProps) =>
  (changes: Config) =>
    set({ config: { ...draft.config, ...changes } })

export const asText = (value: unknown) => (value === undefined || value === null ? '' : String(value))

interface JsonProps {
  label: string
  hint?: string
  value: unknown
  error?: string
  onChange(value: unknown): void
}

/** The step whose form is shown. */
const StepContext = createContext<string | undefined>(undefined)
export const StepTexts = StepContext.Provider

/** Texts that aren't valid JSON (yet), by step and field. They can't be part of a draft, and are kept until they are corrected. */
let invalidTexts: ReadonlyMap<string, string> = new Map()
const observers = new Set<() => void>()

function keepInvalidText(key: string, text: string | undefined): void {
  if (text === invalidTexts.get(key)) return
  invalidTexts = new Map([...invalidTexts].filter(([other]) => other !== key))
  if (text !== undefined) invalidTexts = new Map([...invalidTexts, [key, text]])
  for (const observer of observers) observer()
}

/** The first of these steps that has a field with invalid JSON. */
export function useStepWithInvalidText(stepIds: string[]): string | undefined {
  const texts = useSyncExternalStore(
    (observer) => {
      observers.add(observer)
      return () => observers.delete(observer)
    },
    () => invalidTexts,
  )
  return stepIds.find((id) => [...texts.keys()].some((key) => key.startsWith(`${id} `)))
}

const asJson = (value: unknown) => (value === undefined || value === null ? '' : JSON.stringify(value, null, 2))

/** JSON typed as text. While the text is not valid JSON, the value stays unchanged. */
export function JsonInput({ label, hint, value, error, onChange }: JsonProps) {
  const stepId = useContext(StepContext)
  const key = `${stepId} ${label}`
  const [text, setText] = useState(() => invalidTexts.get(key) ?? asJson(value))
  const [invalid, setInvalid] = useState(() => invalidTexts.has(key))
  const [known, setKnown] = useState(value)
  // The value was changed elsewhere, for example by undo.
  if (value !== known) {
    setKnown(value)
    setText(asJson(value))
    setInvalid(false)
  }
  const changeText = (typed: string) => {
    setText(typed)
    try {
      const parsed = typed.trim() === '' ? null : JSON.parse(typed)
      keepInvalidText(key, undefined)
      setInvalid(false)
      setKnown(parsed)
      onChange(parsed)
    } catch {
      if (stepId) keepInvalidText(key, typed)
      setInvalid(true)
    }
  }
  return (
    <TextArea
      label={label}
      hint={hint}
      rows={4}
      spellCheck={false}
      className="font-mono text-[0.8125rem]"
      value={text}
      error={invalid ? texts.invalidJson : error}
      onChange={(event) => changeText(event.target.value)}
    />
  )
}
