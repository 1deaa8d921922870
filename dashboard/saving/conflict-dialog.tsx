/** Two people changed the same fields: who saved what and when, and what to keep of it. */
import { useId, useState } from 'react'
import { Moment } from '../figures/moment.tsx'
import { Problem } from '../lists/problem.tsx'
import { RichText } from '../shell/rich-text.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { RadioCards } from '../ui/radio-cards.tsx'
import { conflictTexts as T } from './texts.ts'

type Side = 'theirs' | 'mine'

interface ConflictDialogProps {
  /** When it was saved. */
  at: string
  who: string | undefined
  isMe: boolean
  both: { name: string; label: string; theirs: string; mine: string }[]
  /** Labels of fields that only the other person changed. */
  taken: string[]
  busy: boolean
  problem: unknown
  onClose(): void
  onTheirs(): void
  onMine(): void
  onMerge(chosen: Record<string, Side>): void
}

export function ConflictDialog(props: ConflictDialogProps) {
  const { at, who, isMe, both, taken, busy, problem, onClose, onTheirs, onMine, onMerge } = props
  const id = useId()
  const [chosen, setChosen] = useState<Record<string, Side>>({})
  const savedBy = isMe ? T.savedBySelf : who ? T.savedBy : T.savedBySomeone
  return (
    <Dialog
      open
      wide
      disposable
      onClose={onClose}
      title={isMe ? T.titleSelf : T.title}
      lead={<RichText text={savedBy} elements={{ when: () => <Moment at={at} relative />, who: () => who }} />}
    >
      <div className="space-y-5 text-sm">
        <p>{T.both(both.length)}</p>
        {both.map(({ name, label, theirs, mine }) => (
          <RadioCards
            key={name}
            legend={label}
            name={`${id}.${name}`}
            value={chosen[name] ?? 'mine'}
            columns="sm:grid-cols-2 wrap-anywhere"
            options={{
              mine: { title: isMe ? T.thisWindow : T.mine, hint: mine || T.empty },
              theirs: { title: isMe ? T.otherWindow : T.theirs, hint: theirs || T.empty },
            }}
            onChange={(side) => setChosen({ ...chosen, [name]: side })}
          />
        ))}
        {taken.length > 0 && <p className="text-soft">{T.taken(taken)}</p>}
        {problem !== null && <Problem error={problem} />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{T.keepEditing}</Button>
        <Button disabled={busy} onClick={onTheirs}>
          {isMe ? T.useOther : T.useTheirs}
        </Button>
        <Button disabled={busy} onClick={onMine}>
          {T.saveMine}
        </Button>
        <Button kind="primary" busy={busy} onClick={() => onMerge(chosen)}>
          {T.merge}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
