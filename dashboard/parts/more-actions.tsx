/** The menu behind the three dots. Its last entry deletes, after the name was typed. */
import { Ellipsis, type LucideIcon, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from './button.tsx'
import { Confirm } from './dialog.tsx'
import { Menu, type MenuEntry } from './menu.tsx'
import { sharedTexts } from './texts.ts'

interface Action {
  icon: LucideIcon
  label: string
  onSelect(): void
  danger?: boolean
}

interface MoreActionsProps {
  label?: string
  actions: Action[]
  /** The title and the button of the dialog that confirms a deletion. */
  deleteTexts: { title: string; action: string }
  /** What has to be typed to delete. */
  name: string
  onDelete(): Promise<unknown>
  /** The effects of a deletion. */
  children: ReactNode
}

const entryOf = ({ icon: Icon, label, ...rest }: Action): MenuEntry => ({
  label: (
    <>
      <Icon aria-hidden /> {label}
    </>
  ),
  ...rest,
})

export function MoreActions({ label, actions, deleteTexts, name, onDelete, children }: MoreActionsProps) {
  const [deleting, setDeleting] = useState(false)
  const deleteAction = { icon: Trash2, label: sharedTexts.delete, danger: true, onSelect: () => setDeleting(true) }
  return (
    <>
      <Menu
        trigger={
          <IconButton label={label ?? sharedTexts.moreActions}>
            <Ellipsis />
          </IconButton>
        }
        groups={[actions.map(entryOf), [entryOf(deleteAction)]]}
      />
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={deleteTexts.title}
        typeToConfirm={name}
        action={deleteTexts.action}
        onConfirm={onDelete}
      >
        <p>{children}</p>
      </Confirm>
    </>
  )
}
