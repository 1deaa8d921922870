/** The list of keyboard shortcuts. */
import { DESTINATIONS } from '../navigation.ts'
import { Dialog } from './dialog.tsx'
import { modKey } from './shortcuts.ts'
import { shortcutTexts } from './texts.ts'

const Keys = ({ keys }: { keys: string[] }) => (
  <span className="flex shrink-0 gap-1">
    {keys.map((key) => (
      <kbd key={key} className="min-w-6 rounded border border-line-strong px-1.5 text-center font-sans text-xs">
        {key}
      </kbd>
    ))}
  </span>
)

export function ShortcutHelp({ onClose }: { onClose(): void }) {
  const groups: [string, [string, string[]][]][] = [
    [
      shortcutTexts.general,
      [
        [shortcutTexts.palette, [modKey('K')]],
        [shortcutTexts.search, ['/']],
        [shortcutTexts.save, [modKey('S')]],
        [shortcutTexts.submit, [modKey('Enter')]],
        [shortcutTexts.help, ['?']],
      ],
    ],
    [
      shortcutTexts.lists,
      [
        [shortcutTexts.next, ['J', '↓']],
        [shortcutTexts.previous, ['K', '↑']],
        [shortcutTexts.open, ['Enter']],
        [shortcutTexts.select, ['X']],
      ],
    ],
    [
      shortcutTexts.goTo,
      DESTINATIONS.flat().map(({ label, key }): [string, string[]] => [label, ['G', key.toUpperCase()]]),
    ],
  ]
  return (
    <Dialog open onClose={onClose} title={shortcutTexts.title} wide>
      <div className="grid gap-x-10 gap-y-6 sm:grid-cols-2">
        {groups.map(([heading, entries], i) => (
          <section key={heading} className={i === 2 ? 'sm:col-start-2 sm:row-span-2 sm:row-start-1' : ''}>
            <h3 className="mb-2 text-sm font-semibold">{heading}</h3>
            <dl className="divide-y divide-line text-sm">
              {entries.map(([label, keys]) => (
                <div key={label} className="flex items-center justify-between gap-4 py-1.5">
                  <dt className="text-soft">{label}</dt>
                  <dd>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
