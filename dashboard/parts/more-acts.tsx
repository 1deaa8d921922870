/** The acts behind the three dots, the last of which deletes: that one asks for the name. */
import { Ellipsis, type LucideIcon, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from './button.tsx'
import { Confirm } from './dialog.tsx'
import { Menu, type MenuEntry } from './menu.tsx'

interface Act {
  icon: LucideIcon
  words: string
  onPick(): void
  danger?: boolean
}

interface MoreActsProps {
  label?: string
  acts: Act[]
  /** What is deleted: "template". */
  noun: string
  name: string
  onDelete(): Promise<unknown>
  /** What goes with it, and what stays. */
  children: ReactNode
}

const entryOf = ({ icon: Icon, words, ...rest }: Act): MenuEntry => ({
  words: (
    <>
      <Icon aria-hidden /> {words}
    </>
  ),
  ...rest,
})

export function MoreActs({ label = 'More acts', acts, noun, name, onDelete, children }: MoreActsProps) {
  const [deleting, setDeleting] = useState(false)
  const remove = { icon: Trash2, words: 'Delete', danger: true, onPick: () => setDeleting(true) }
  return (
    <>
      <Menu
        trigger={
          <IconButton label={label}>
            <Ellipsis />
          </IconButton>
        }
        groups={[acts.map(entryOf), [entryOf(remove)]]}
      />
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={`Delete this ${noun}?`}
        name={name}
        act={`Delete the ${noun}`}
        onAct={onDelete}
      >
        <p>{children}</p>
      </Confirm>
    </>
  )
}
