/** Menus that open from a three-dot button. */
import { Ellipsis, type LucideIcon, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { sharedTexts } from '../shell/texts.ts'
import { IconButton } from './button.tsx'
import { Confirm } from './dialog.tsx'
import { Menu, type MenuEntry } from './menu.tsx'

interface Action {
  icon: LucideIcon
  label: string
  onSelect(): void
  danger?: boolean
  /** For an action that has its own button on wide screens. */
  onlyPhone?: boolean
}

interface MoreActionsProps {
  label?: string
  actions: Action[]
  /** The title and the button of the dialog that confirms a deletion, and the menu entry if it isn't "Delete". */
  deleteTexts: { title: string; action: string; entry?: string }
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

interface DotsMenuProps {
  label?: string
  groups: Action[][]
  className?: string
}

const DotsMenu = ({ label, groups, className }: DotsMenuProps) => (
  <Menu
    trigger={
      <IconButton label={label ?? sharedTexts.moreActions} className={className}>
        <Ellipsis />
      </IconButton>
    }
    groups={groups.map((actions) => actions.map(entryOf))}
  />
)

/** Actions without a deletion. */
export const ActionsMenu = ({ label, actions }: { label: string; actions: Action[] }) => (
  <DotsMenu label={label} groups={[actions]} />
)

/** Actions whose buttons are hidden on a phone, or also on a tablet. */
export const PhoneActions = ({ actions, tablet }: { actions: Action[]; tablet?: boolean }) => (
  <DotsMenu groups={[actions]} className={tablet ? 'lg:hidden' : 'sm:hidden'} />
)

/** Its last entry deletes the resource after its name is typed. */
export function MoreActions({ label, actions, deleteTexts, name, onDelete, children }: MoreActionsProps) {
  const [deleting, setDeleting] = useState(false)
  const deleteAction = {
    icon: Trash2,
    label: deleteTexts.entry ?? sharedTexts.delete,
    danger: true,
    onSelect: () => setDeleting(true),
  }
  return (
    <>
      <DotsMenu label={label} groups={[actions, [deleteAction]].filter((group) => group.length > 0)} />
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
