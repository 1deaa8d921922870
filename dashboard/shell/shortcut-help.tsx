/** The list of keyboard shortcuts. */
import { Fragment } from 'react'
import { DESTINATIONS } from '../navigation.ts'
import { Dialog } from '../ui/dialog.tsx'
import { modKey } from './shortcuts.ts'
import { shortcutTexts } from './texts.ts'

/** Keys that do the same, or that are pressed one after the other. */
interface Shortcut {
  label: string
  keys: string[]
  isSequence?: boolean
}

const Keys = ({ keys, isSequence }: Omit<Shortcut, 'label'>) => (
  <span className="flex shrink-0 items-center gap-1.5 text-xs text-soft">
    {keys.map((key, i) => (
      <Fragment key={key}>
        {i > 0 && (isSequence ? shortcutTexts.keyAfter : shortcutTexts.keyOr)}
        <kbd className="min-w-6 rounded border border-line-strong px-1.5 text-center font-sans text-ink">{key}</kbd>
      </Fragment>
    ))}
  </span>
)

function Section({ heading, shortcuts }: { heading: string; shortcuts: Shortcut[] }) {
  return (
    <section>
      <h3 className="mb-2 text-sm font-semibold">{heading}</h3>
      <dl className="divide-y divide-line text-sm">
        {shortcuts.map(({ label, ...shortcut }) => (
          <div key={label} className="flex items-center justify-between gap-4 py-1.5">
            <dt className="text-soft">{label}</dt>
            <dd>
              <Keys {...shortcut} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const GENERAL: Shortcut[] = [
  { label: shortcutTexts.palette, keys: [modKey('K')] },
  { label: shortcutTexts.save, keys: [modKey('S')] },
  { label: shortcutTexts.submit, keys: [modKey('Enter')] },
  { label: shortcutTexts.help, keys: ['?'] },
]

const LISTS: Shortcut[] = [
  { label: shortcutTexts.search, keys: ['/'] },
  { label: shortcutTexts.next, keys: ['J', '↓'] },
  { label: shortcutTexts.previous, keys: ['K', '↑'] },
  { label: shortcutTexts.open, keys: ['Enter'] },
  { label: shortcutTexts.select, keys: ['X'] },
]

const PAGES: Shortcut[] = DESTINATIONS.flat().map(({ label, key }) => ({
  label,
  keys: ['G', key.toUpperCase()],
  isSequence: true,
}))

export function ShortcutHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog open onClose={onClose} title={shortcutTexts.title} wide>
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        <div className="space-y-6">
          <Section heading={shortcutTexts.general} shortcuts={GENERAL} />
          <Section heading={shortcutTexts.lists} shortcuts={LISTS} />
        </div>
        <Section heading={shortcutTexts.goTo} shortcuts={PAGES} />
      </div>
    </Dialog>
  )
}
