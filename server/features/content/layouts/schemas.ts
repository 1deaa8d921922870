/** Request and response schemas of layouts and saved blocks. */
import { z } from 'zod'
import { blockList, checkBlocks } from '../../../kernel/content/email-document.ts'

const NAME_MAX = 100

const name = z.string().trim().min(1, 'Must not be empty.').max(NAME_MAX, `Must be at most ${NAME_MAX} characters.`)
const header = blockList.meta({ description: 'Shown above the blocks of an email.' })
const footer = blockList.meta({ description: 'Shown below the blocks of an email.' })

const entry = { id: z.uuid(), name: z.string(), createdAt: z.date(), updatedAt: z.date() }

const LayoutEntry = z
  .object({
    ...entry,
    emails: z.int().meta({ description: 'How many templates and unsent campaigns use the layout.' }),
  })
  .meta({ id: 'LayoutEntry' })

export const LayoutList = z.array(LayoutEntry).meta({ id: 'LayoutList' })
export const Layout = z.object({ ...entry, header: blockList, footer: blockList }).meta({ id: 'Layout' })

const bothChecked = (
  layout: { header?: z.output<typeof header>; footer?: z.output<typeof footer> },
  check: z.RefinementCtx,
) => {
  checkBlocks(layout.header ?? [], check, ['header'])
  checkBlocks(layout.footer ?? [], check, ['footer'])
}

export const NewLayout = z
  .object({ name, header: header.default([]), footer: footer.default([]) })
  .superRefine(bothChecked)
export const LayoutChanges = z.object({ name, header, footer }).partial().superRefine(bothChecked)

const blocks = blockList
  .min(1, 'Must contain at least one block.')
  .superRefine((given, check) => checkBlocks(given, check, []))

export const SavedBlocksList = z.array(z.object(entry)).meta({ id: 'SavedBlocksList' })
export const SavedBlocks = z.object({ ...entry, blocks: blockList }).meta({ id: 'SavedBlocks' })
export const NewSavedBlocks = z.object({ name, blocks })
export const SavedBlocksChanges = z.object({ name, blocks }).partial()
