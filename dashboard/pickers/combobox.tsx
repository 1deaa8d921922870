/**
 * A field with a list that is searched by typing (the combobox pattern of WAI-ARIA). The list is filtered here, or by the
 * server if there is `onSearch`.
 */
import { ChevronDown } from 'lucide-react'
import {
  type ComponentProps,
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { pickerTexts } from '../shell/texts.ts'
import { CONTROL, described, Field, type Labelled } from '../ui/field.tsx'
import { exactChoice, type Searchable, searchChoices } from './search-choices.ts'
import { usePopup } from './use-popup.ts'

export interface Choice extends Searchable {
  value: string
  picture?: ReactNode
}

type InputProps = Pick<
  ComponentProps<'input'>,
  'placeholder' | 'disabled' | 'required' | 'autoFocus' | 'maxLength' | 'type' | 'onKeyDown' | 'className'
>

export interface ComboboxProps extends Labelled, InputProps {
  value: string
  choices: Choice[]
  /** The same choices in another order, shown until something is typed. */
  idleChoices?: Choice[]
  onChoose(value: string): void
  /** Called after `onChoose` if it was a choice of the list, and not typed. */
  onPick?(value: string): void
  /** The label of the value while it isn't among the choices. */
  chosenLabel?: string | undefined
  /** Any text is a value; the choices are suggestions. */
  free?: boolean
  /** Deleting the text removes the choice. */
  optional?: boolean
  /** Called when the list opens and while a search is typed. */
  onSearch?(text: string): void
  /** The choices aren't those of the search yet. */
  isSearching?: boolean
  hasFailed?: boolean
}

/** More rows than these are found by typing. */
const ROWS_MAX = 100

export function Combobox({
  label,
  hint,
  error,
  hideLabel,
  value,
  choices,
  idleChoices = choices,
  onChoose,
  onPick,
  chosenLabel,
  free = false,
  optional = false,
  onSearch,
  isSearching = false,
  hasFailed = false,
  className = '',
  onKeyDown,
  ...input
}: ComboboxProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  /** What is being typed, until something is chosen. */
  const [typed, setTyped] = useState<string>()
  /** The row that the keys or the pointer moved to. */
  const [active, setActive] = useState<string>()
  const [field, popup] = usePopup(isOpen)
  /** What Enter or leaving the field chooses when the results are there. */
  const awaits = useRef<'first' | 'exact'>(undefined)

  const chosen = choices.find((choice) => choice.value === value)
  const text = free ? value : (typed ?? chosen?.label ?? chosenLabel ?? '')
  const search = typed === undefined ? '' : free ? value : typed
  const matching = search.trim() === '' ? idleChoices : onSearch ? choices : searchChoices(choices, search)
  const rows = matching.slice(0, ROWS_MAX)
  const isMoved = rows.some((row) => row.value === active)
  const highlighted = isMoved ? active : !free && search.trim() !== '' ? rows[0]?.value : undefined
  // Suggestions that only repeat the text don't help.
  const isShown = isOpen && !(free && rows.every((row) => row.value === text))
  const optionId = (row: string) => `${id}-option-${rows.findIndex((one) => one.value === row)}`

  const open = () => {
    if (isOpen) return
    setOpen(true)
    setActive(typed === undefined ? value : undefined)
    onSearch?.(search)
  }
  const close = () => {
    setOpen(false)
    setActive(undefined)
  }
  const choose = (next: string) => {
    awaits.current = undefined
    setTyped(undefined)
    close()
    if (next !== value) onChoose(next)
    onPick?.(next)
  }
  const changeText = (next: string) => {
    awaits.current = undefined
    setOpen(true)
    setActive(undefined)
    setTyped(next)
    if (free || (optional && next === '')) onChoose(next)
    onSearch?.(next)
  }
  const move = (by: 1 | -1) => {
    const at = rows.findIndex((row) => row.value === highlighted)
    const next = at < 0 ? (by > 0 ? 0 : rows.length - 1) : (at + by + rows.length) % rows.length
    setActive(rows[next]?.value)
    document.getElementById(`${id}-option-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  /** Chooses what was typed, as soon as the results are those of it. */
  const complete = (by: 'first' | 'exact', isLeft: boolean) => {
    awaits.current = by
    if (isSearching) return
    awaits.current = undefined
    const found = by === 'first' ? rows[0] : exactChoice(rows, typed ?? '')
    if (found) choose(found.value)
    else if (isLeft) setTyped(undefined)
  }
  const leave = () => {
    close()
    if (free || !typed?.trim()) setTyped(undefined)
    else complete(awaits.current ?? 'exact', true)
  }
  // Runs after each render.
  useEffect(() => {
    if (awaits.current) complete(awaits.current, document.activeElement !== field.current)
  })

  // A long list opens at the chosen row.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it opens.
  useEffect(() => {
    if (isShown && active) document.getElementById(optionId(active))?.scrollIntoView({ block: 'nearest' })
  }, [isShown])

  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (event.altKey && key === 'ArrowUp') close()
      else if (isShown) move(key === 'ArrowDown' ? 1 : -1)
      else open()
    } else if (key === 'Escape' && isShown) {
      event.preventDefault()
      event.stopPropagation()
      setTyped(undefined)
      close()
    } else if (key === 'Enter' && isShown) {
      if (!free || isMoved) event.preventDefault()
      if (isSearching && !isMoved && !free) complete('first', false)
      else if (highlighted !== undefined) choose(highlighted)
      else close()
    } else if (key === 'Tab' && isShown) {
      if (highlighted !== undefined && !isSearching) choose(highlighted)
      else if (highlighted !== undefined) complete('first', true)
      close()
    }
    if (!event.defaultPrevented) onKeyDown?.(event)
  }

  return (
    <Field id={id} {...{ label, hint, error, hideLabel }}>
      <div className="relative">
        <input
          type="text"
          {...input}
          id={id}
          ref={field}
          {...described(id, { hint, error })}
          role="combobox"
          aria-expanded={isShown}
          aria-controls={isShown ? `${id}-list` : undefined}
          aria-autocomplete="list"
          aria-activedescendant={isShown && highlighted !== undefined ? optionId(highlighted) : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          onChange={(event) => changeText(event.target.value)}
          onFocus={(event) => !free && event.target.select()}
          onClick={open}
          onBlur={leave}
          onKeyDown={handleKey}
          className={`${CONTROL} h-9 truncate ${free ? '' : 'pe-8'} ${className}`}
        />
        {!free && (
          <ChevronDown
            aria-hidden
            className="pointer-events-none absolute top-1/2 end-2.5 size-4 -translate-y-1/2 text-soft"
          />
        )}
        {isShown && (
          <div
            ref={popup}
            popover="manual"
            id={`${id}-list`}
            role="listbox"
            tabIndex={-1}
            aria-label={label}
            aria-busy={isSearching}
            className="fixed inset-auto z-50 overflow-y-auto overscroll-contain rounded-card border border-line bg-card p-1.5 text-sm text-ink shadow-float"
          >
            {groupsOf(rows).map(({ group, start, choices: inGroup }) => {
              const options = inGroup.map((row, i) => (
                <Row
                  key={row.value}
                  id={`${id}-option-${start + i}`}
                  choice={row}
                  isHighlighted={row.value === highlighted}
                  isChosen={row.value === value}
                  onPoint={() => setActive(row.value)}
                  onChoose={() => choose(row.value)}
                />
              ))
              if (!group) return <Fragment key={start}>{options}</Fragment>
              return (
                // biome-ignore lint/a11y/useSemanticElements: a list contains no fieldset.
                <div key={start} role="group" aria-label={group}>
                  <div aria-hidden className="px-2.5 pt-2 pb-1 text-xs text-soft">
                    {group}
                  </div>
                  {options}
                </div>
              )
            })}
            {(rows.length === 0 || matching.length > ROWS_MAX) && (
              <div role="presentation" className="px-2.5 py-1.5 text-soft">
                {rows.length > 0
                  ? pickerTexts.more(matching.length - ROWS_MAX)
                  : isSearching
                    ? pickerTexts.searching
                    : hasFailed
                      ? pickerTexts.failed
                      : pickerTexts.empty}
              </div>
            )}
          </div>
        )}
        <span aria-live="polite" className="sr-only">
          {isShown && !isSearching && pickerTexts.found(rows.length)}
        </span>
      </div>
    </Field>
  )
}

/** Rows of the same group are next to each other. */
function groupsOf(rows: Choice[]): { group: string | undefined; start: number; choices: Choice[] }[] {
  const groups: ReturnType<typeof groupsOf> = []
  for (const [start, choice] of rows.entries()) {
    const last = groups.at(-1)
    if (last && last.group === choice.group) last.choices.push(choice)
    else groups.push({ group: choice.group, start, choices: [choice] })
  }
  return groups
}

interface RowProps {
  id: string
  choice: Choice
  isHighlighted: boolean
  isChosen: boolean
  onPoint(): void
  onChoose(): void
}

const Row = ({ id, choice, isHighlighted, isChosen, onPoint, onChoose }: RowProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field, which keeps the focus.
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={isChosen}
    onPointerMove={onPoint}
    onMouseDown={(event) => event.preventDefault()}
    onClick={onChoose}
    className={`flex cursor-pointer items-center gap-2.5 rounded-part px-2.5 py-1.5 ${isHighlighted ? 'bg-panel' : ''} ${isChosen ? 'font-medium text-accent' : ''}`}
  >
    {choice.picture}
    <span className="min-w-0 flex-1">
      <span className="block wrap-anywhere">{choice.label}</span>
      {choice.note && <span className="block truncate text-[0.8125rem] font-normal text-soft">{choice.note}</span>}
    </span>
  </div>
)
